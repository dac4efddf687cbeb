import { hashFile } from '@proofdesk/proof/hash-file'
import { canBeCertified } from './can-be-certified.ts'
import { checkDocument, type CheckedDocument } from './check-document.ts'
import { explainUnjudged } from './explain-unjudged.ts'
import { judgeReceiptFile, type JudgedReceipt } from './judge-receipt.ts'
import type { Refused, Verified } from './retrieve.ts'

/** What became of a file that was judged on this device. */
export interface Judged {
  kind: 'file'
  name: string
  /** Absent when it is an original of a verified proof. */
  checked: CheckedDocument | undefined
  /** Its number among the certified files, from 1; 0 when it is none of them; absent when there was no proof to compare with. */
  original: number | undefined
  /** It is of a kind that is neither sealed nor certified. */
  isOtherKind?: true
  /** The browser takes it for a picture: of a printed page, perhaps, whose code the offline page reads. */
  isPicture?: boolean
  /** Of a file that is a signed receipt, and no document. */
  receipt?: JudgedReceipt
}

/**
 * A file is compared with the originals of a proof that was verified: by the hashes that the log vouches for, where this
 * browser has checked it. One of them may be a certified PDF that somebody added to: as an original it is what it was. What
 * is none of them is checked by itself, and so is a signed receipt; of another kind than what is certified, it is no case for a
 * check: a page that speaks of proofs, such as the offline one, would look like an altered one. Whatever comes of it, it is something to show.
 */
export async function judgeFile(file: File, verified: Verified | undefined): Promise<Judged | Refused> {
  try {
    return await readAndJudge(file, verified)
  } catch (error) {
    console.error('The file could not be checked', error)
    return explainUnjudged(error, file.name)
  }
}

/** @throws NetworkError, or what reading the file throws. */
async function readAndJudge(file: File, verified: Verified | undefined): Promise<Judged> {
  const judged = { kind: 'file', name: file.name, isPicture: file.type.startsWith('image/') } as const
  const receipt = await judgeReceiptFile(file)
  if (receipt) return { ...judged, checked: undefined, original: undefined, receipt }
  const original = verified && (await findOriginal(file, verified))
  if (original) return { ...judged, checked: undefined, original }
  if (!(await canBeCertified(file)))
    return verified
      ? { ...judged, checked: undefined, original: 0 }
      : { ...judged, checked: undefined, original: undefined, isOtherKind: true }
  const checked = await checkDocument(file)
  if (checked.report.verdict !== 'not_found' || !verified) return { ...judged, checked, original: undefined }
  return { ...judged, checked: undefined, original: 0 }
}

/** @returns its number among the originals, from 1; 0 when it is none of them. */
async function findOriginal(file: File, verified: Verified): Promise<number> {
  const sha256 = await hashFile(new Uint8Array(await file.arrayBuffer()))
  return listOriginals(verified).indexOf(sha256) + 1
}

function listOriginals({ checked, details }: Verified): string[] {
  // Revision 0 stands first there.
  const [, ...logged] = checked?.report.fields?.doc ?? []
  return (logged.length > 0 ? logged : (details?.files ?? [])).map(({ sha256 }) => sha256)
}
