import { type PdfDict, PdfName, PdfString } from '@libpdf/core'
import { readTime } from '@proofdesk/proof/der'
import { CMS_OID } from '@proofdesk/proof/write-cms'
import { createHash } from 'node:crypto'
import { readNumbers } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'
import type { CarriedCertificate } from './carried-certificate.ts'
import { readClaimedDate } from './claimed-date.ts'
import { judgeSigner } from './judge-signer.ts'
import { readShownName } from './shown-name.ts'
import { digestRange, type HashBudget, joinRange } from './signed-bytes.ts'
import { findSigner, readSignedData, type SignedData } from './signed-data.ts'
import { readSignedRange, type SignedRange } from './signed-range.ts'
import { judgeTimeStamp } from './time-stamp.ts'
import type { Judgement } from './types.ts'
import type { UploadSignature } from '../types.ts'

const TIME_STAMP = 'ETSI.RFC3161'
/** adbe.pkcs7.sha1 and adbe.x509.rsa_sha1 are not judged, as nothing by SHA-1 is. ISO 32000-2 table 260. */
const JUDGED = new Set(['adbe.pkcs7.detached', 'ETSI.CAdES.detached', TIME_STAMP])
const SIGNING_TIME = '1.2.840.113549.1.9.5'
/** Lists of revoked certificates that some programs put into signatures take a megabyte or two. */
const MOST_CONTAINER_BYTES = 4 << 20

/** A file as its signatures are looked at. */
export interface SignedFile {
  /** As they were uploaded, unmended. */
  bytes: Uint8Array
  /** The parser then hands over /Contents garbled, which is never encrypted. */
  isEncrypted: boolean
  resolve: Resolve
  budget: HashBudget
}

export interface ReadSignature {
  /** Undefined where the signature names none that is allowed. */
  range: SignedRange | undefined
  signature: UploadSignature
}

/** Reads and judges one signature dictionary. Throws nothing, whatever it holds. */
export function readSignature(dict: PdfDict, file: SignedFile): ReadSignature {
  const subFilter = file.resolve(dict.get('SubFilter'))
  const type = subFilter instanceof PdfName ? subFilter.value : ''
  const value = file.resolve(dict.get('Contents'))
  const claimed = value instanceof PdfString ? value.bytes : new Uint8Array()
  const range = readOwnRange(dict, claimed, file)
  const container = range?.contents ?? new Uint8Array(claimed)
  const data = tryRead(() => (container.length > MOST_CONTAINER_BYTES ? undefined : readSignedData(container)))
  const certificate = data && tryRead(() => findSigner(data.signer, data.certificates))
  const read: Reading = { file, range, data, certificate }
  const verdict = type === TIME_STAMP ? judgeDocumentTimeStamp(read) : judgeSignature(read)
  return {
    range,
    signature: {
      signer: (certificate && tryRead(() => readShownName(certificate.subject))) ?? null,
      issuer: (certificate && tryRead(() => readShownName(certificate.issuer))) ?? null,
      ...verdict.time,
      state: JUDGED.has(type) ? nameState(verdict.judgement, read) : 'unknown',
      kind: type === TIME_STAMP ? 'time_stamp' : 'signature',
    },
  }
}

interface Reading {
  file: SignedFile
  range: SignedRange | undefined
  data: SignedData | undefined
  certificate: CarriedCertificate | undefined
}

type Time = Pick<UploadSignature, 'signedAt' | 'timeBy'>
interface Verdict {
  judgement: Judgement
  time: Time
}

const NO_TIME: Time = { signedAt: null, timeBy: null }

/** The range, if what lies in its gap is the signature of this dictionary and not of another. */
function readOwnRange(dict: PdfDict, claimed: Uint8Array, file: SignedFile): SignedRange | undefined {
  const range = readSignedRange(readNumbers(dict.get('ByteRange'), file.resolve), file.bytes)
  return range && (file.isEncrypted || Buffer.from(range.contents.buffer).equals(claimed)) ? range : undefined
}

function nameState(judgement: Judgement, { range, file }: Reading): UploadSignature['state'] {
  if (!range) return 'broken'
  if (judgement !== 'holds') return judgement
  return range.end === file.bytes.length ? 'whole' : 'part'
}

function judgeDocumentTimeStamp({ file, range, data }: Reading): Verdict {
  const told =
    range && data && tryRead(() => judgeTimeStamp(data, data.certificates, (hash) => digest(file, range, hash)))
  if (!told) return { judgement: 'unknown', time: NO_TIME }
  const { judgement, time } = told
  return { judgement, time: time === null ? NO_TIME : { signedAt: time, timeBy: 'authority' } }
}

function judgeSignature({ file, range, data, certificate }: Reading): Verdict {
  const judgement =
    range &&
    data &&
    tryRead(() =>
      judgeSigner(data, certificate, {
        type: CMS_OID.data,
        digest: (hash) => digest(file, range, hash),
        join: () => joinRange(file.bytes, range),
      }),
    )
  return { judgement: judgement ?? 'unknown', time: readSigningTime(file, range, data) }
}

function digest({ bytes, budget }: SignedFile, range: SignedRange, hash: string): Uint8Array | undefined {
  return digestRange(bytes, range, hash, budget)
}

/** A time stamp of the signature value before the signing time of the signer, and that before the date of the dictionary. */
function readSigningTime(file: SignedFile, range: SignedRange | undefined, data: SignedData | undefined): Time {
  const stamped = data && tryRead(() => readStampedTime(data))
  if (typeof stamped === 'number') return { signedAt: stamped, timeBy: 'authority' }
  const attribute = data?.signer.signed?.attributes.get(SIGNING_TIME)
  const own = attribute && tryRead(() => readTime(attribute))
  const claimed = own ?? (range && readClaimedDate(file.bytes, range))
  return claimed === undefined ? NO_TIME : { signedAt: claimed, timeBy: 'signer' }
}

/** A token that does not hold tells nothing: nobody signed that it stands there. RFC 3161 appendix A. */
function readStampedTime({ signer, certificates }: SignedData): number | null {
  const attribute = signer.unsigned.get(CMS_OID.timeStampToken)
  if (!attribute) return null
  const token = readSignedData(attribute.whole)
  const imprint = (hash: string): Uint8Array => createHash(hash).update(signer.signature).digest()
  const { judgement, time } = judgeTimeStamp(
    token,
    [...token.certificates, ...certificates],
    imprint,
    findSigner(signer, certificates),
  )
  return judgement === 'holds' ? time : null
}

/** What cannot be read is not known: the reason would help nobody, and hostile containers find ever new ones. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
