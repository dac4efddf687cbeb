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

/** What the mathematics of one signature say. */
export type Judgement = 'holds' | 'broken' | 'unknown'
