/** What the certify package takes and gives: plain data, so that it crosses thread and process borders unchanged. */

export type DocumentType = 'PDF' | 'JPEG' | 'PNG'

/** Why an uploaded file is refused; the server turns each into its own message. */
export type RefusalReason =
  | 'empty'
  | 'unsupported_type'
  | 'header_not_at_start'
  | 'truncated'
  | 'checksum_wrong'
  | 'password_protected'
  | 'unreadable'
  | 'ambiguous'
  | 'no_pages'
  | 'too_many_pages'
  | 'image_too_large'
  | 'decompression_bomb'
  | 'too_slow'
  | 'too_much_memory'

export interface InspectLimits {
  /** A PDF of more pages is refused as `too_many_pages`. */
  maxPages: number
}

export type Inspection =
  | {
      ok: true
      type: DocumentType
      pages: number
      /** Readers show its pages in different ways: it is kept as pictures of them. */
      isPictured: boolean
    }
  | { ok: false; reason: RefusalReason }

/** One original of a collection, in the order in which it goes into the certified PDF. */
export interface SourceDocument {
  /** Readable local path of the stored bytes. */
  path: string
  type: DocumentType
  title: string
  fileName: string
  sizeBytes: number
  /** SHA-256 of the stored bytes, 64 lower-case hex digits. */
  sha256: string
  /** As its inspection told. */
  isPictured: boolean
}

/** Everything printed on the certificate pages and written into the manifest. */
export interface CertificateFields {
  /** Printed form, `XXXX-XXXX-XXXX-XXXX-C`. */
  proofId: string
  organisation: string
  /** True when PUBLIC_URL is a loopback address; 'test instance' is printed. */
  isTestInstance: boolean
  title: string
  username: string
  reviewer: string
  description: string
  /**
   * What the reviewer looked at: `digestSubmission` of the proof package, and the SHA-256 of the review document, which must be
   * the one that is built from; null where it was sent before that was kept.
   */
  submission: { number: number; digest: string; documentSha256: string } | null
  /** Milliseconds since 1970-01-01 UTC. */
  submittedAt: number | null
  approvedAt: number
  expiresAt: number | null
  /** Address of the verification page without fields, e.g. `https://proof.example/service-content`. */
  verifyUrl: string
  /** What the QR code holds: the same address with `#`, and the signed code of the proof package. */
  code: { address: string; data: string }
}

export interface PrepareRequest {
  /** In the order in which they are read; at least one. */
  documents: SourceDocument[]
  title: string
  /** Where the review document is written; the folder exists and the path is free. */
  outPath: string
  /** Of all documents together. */
  maxPages: number
}

/** One signature that an uploaded PDF brings, told without any claim of trust. */
export interface UploadSignature {
  /**
   * Common name of the signer's certificate, else organisation, else the whole name; null when there is no readable
   * certificate. At most 200 characters, without control characters. Anybody can make a certificate in any name.
   */
  signer: string | null
  /** The same of who issued that certificate. */
  issuer: string | null
  /** Milliseconds since 1970-01-01 UTC; null when the file tells none. */
  signedAt: number | null
  /** Who says so: a time-stamp token that holds (RFC 3161), or the signer (signing-time attribute, else /M). */
  timeBy: 'authority' | 'signer' | null
  /**
   * `whole`: holds for the file as it is; `part`: holds for an earlier state, something was appended since; `broken`: the bytes
   * or the signature do not fit; `unknown`: a kind that is not judged (SubFilter or algorithm not supported, unreadable).
   */
  state: 'whole' | 'part' | 'broken' | 'unknown'
  /** `signature`, or a document time-stamp (ETSI.RFC3161). */
  kind: 'signature' | 'time_stamp'
}

/** What became of one original in the review document. */
export interface PreparedOriginal {
  pages: number
  /** Its pages are pictures of what Chrome shows of them. */
  isPictured: boolean
  /** Kinds of active content that were left out, each once, sorted, e.g. `JavaScript`, `Launch`, `AA`. */
  removed: string[]
  /** A filled signature field was there; its signature is void in the copy and was left out. */
  wasSigned: boolean
  /** Those that could be found, the oldest state of the file first. */
  signatures: UploadSignature[]
}

export interface PreparedDocument {
  /** SHA-256 of the review document, hex. */
  sha256: string
  sizeBytes: number
  pages: number
  /** In the order of the request. */
  originals: PreparedOriginal[]
}

/** One original as the certificate names it. */
export interface CertifiedSource extends Omit<SourceDocument, 'path' | 'isPictured'>, PreparedOriginal {}

export interface BuildRequest {
  fields: CertificateFields
  /** As `prepare` wrote it: its pages are what is certified. */
  reviewDocument: { path: string; sha256: string; sizeBytes: number }
  /** What the review document was made of, in its order. */
  originals: CertifiedSource[]
  /** Where revision 0 is written; the folder exists and the path is free. */
  outPath: string
}

export interface BuiltRevision {
  /** SHA-256 of revision 0, hex. */
  sha256: string
  sizeBytes: number
  pages: number
  /** Facts of revision 0 that the sealing update needs; opaque JSON for everyone but certify. */
  facts: string
}

export interface SealRequest {
  /** Local path of revision 0. */
  path: string
  sha256: string
  facts: string
  /** Time written into the signature dictionary, milliseconds since 1970-01-01 UTC. */
  signedAt: number
  /** The `.tlog-proof` that the certified PDF carries (c2sp.org/tlog-proof); null for a proof from before there was a log. */
  proof: Uint8Array<ArrayBuffer> | null
}

export interface VerifyRequest {
  /** Local path of a certified PDF. */
  path: string
  /** As `formatInstancePolicy` writes it. */
  policy: Uint8Array<ArrayBuffer>
  /** Milliseconds since 1970-01-01 UTC at which it is to count. */
  now: number
}

export interface Seal {
  /** The incremental update; the certified PDF is revision 0 followed by these bytes. */
  update: Uint8Array
  /** SHA-256 of the whole certified PDF, hex. */
  sha256: string
}

export interface PoolLimits {
  /** Time for one inspection, from the moment a process takes it up. What hardly had a processor until then is not called slow. */
  inspectDeadlineMs: number
  /** An inspection or a build that no process has taken up within this time is turned away; preparing waits for as long as it takes. */
  inspectWaitMs: number
  buildWaitMs: number
  /** Processor time for one inspection, and what is added for each megabyte; counted where there is a /proc. */
  inspectProcessorMs: number
  inspectProcessorMsPerMegabyte: number
  /**
   * Processor time for preparing a review document of one original, and what is added for each megabyte of originals; for each further
   * original `inspectProcessorMs` is added, and half a minute for each that is kept as pictures, two minutes at most. A busy machine has
   * four times as long.
   */
  prepareProcessorMs: number
  prepareProcessorMsPerMegabyte: number
  /**
   * Time for one build, and what is added for each megabyte of the review document. What hardly had a processor until then is not
   * called slow.
   */
  buildDeadlineMs: number
  buildDeadlineMsPerMegabyte: number
  /** Processor time for one thumbnail. A busy machine has four times as long. */
  drawProcessorMs: number
  /** Resident memory at which a parsing process is killed. */
  memoryBytes: number
}
