import { readLatin1 } from '../bytes.ts'
import { scanRevision0, type Revision0Facts } from '../pdf-layout/scan.ts'
import { signAgain, type SealRequest } from './sign-seal.ts'
import { OBJECTS, writeStream } from './write-revision0.ts'

export interface UpdateOptions {
  root?: number
  prev?: number
  size?: number
  trailer?: string
}

/** Where the last cross-reference of a file stands. */
export function findLastXref(text: string): number {
  return Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
}

/** Appends a free-form incremental update, as any PDF program would. */
export function appendUpdate(
  text: string,
  objects: [object: number, body: string][],
  options: UpdateOptions = {},
): string {
  let whole = text
  const entries = objects.map(([object, body]) => {
    const offset = whole.length
    whole += `${object} 0 obj\n${body}\nendobj\n`
    return `${object} 1\n${String(offset).padStart(10, '0')} 00000 n\r\n`
  })
  const { root = OBJECTS.catalog, prev = findLastXref(text), size = 40, trailer = '' } = options
  const dictionary = `<</Size ${size}/Prev ${prev}/Root ${root} 0 R${trailer}>>`
  return `${whole}xref\n${entries.join('')}trailer\n${dictionary}\nstartxref\n${whole.length}\n%%EOF\n`
}

export interface FreeSeal extends UpdateOptions {
  extra?: [object: number, body: string][]
  order?: ('proof' | 'extra' | 'signature')[]
  permission?: number
  /** Further keys of the signature dictionary. */
  keys?: string
  /** Text after /Contents that the signature leaves out as well. */
  unsigned?: string
}

/** A seal in a free layout, properly signed over everything: what somebody with the genuine key could make. */
export function sealFreely(revision0: Uint8Array, request: SealRequest, free: FreeSeal = {}): Uint8Array<ArrayBuffer> {
  const { extra = [], order = ['proof', 'extra', 'signature'], permission = 1, keys = '', unsigned = '' } = free
  const proof = 'c2sp.org/tlog-proof@v1\nexample\n'
  const dates = '/Type/EmbeddedFile/Subtype/text#2Fplain/Params<</Size 31/ModDate(D:20260102030405Z)>>'
  const docMdp = `[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${permission}/V/1.2>>>>]`
  const signature =
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20260102030405Z)/Reference${docMdp}${keys}` +
    `/ByteRange${' '.repeat(40)}/Contents<${'00'.repeat(1600)}>${unsigned}>>`
  const objects: Record<string, [number, string][]> = {
    proof: [[OBJECTS.proofSlot, writeStream(proof, dates)]],
    extra,
    signature: [[OBJECTS.signatureSlot, signature]],
  }
  const text = appendUpdate(
    readLatin1(revision0),
    order.flatMap((part) => objects[part] ?? []),
    free,
  )
  return signAgain(text, request, unsigned.length)
}

/** Facts for a revision 0 that the scan refuses: those of the good one, moved to where the other ends. */
export function guessFacts(good: Uint8Array, other: Uint8Array): Revision0Facts {
  const text = readLatin1(other)
  const xrefOffset = findLastXref(text)
  const size = Number(/\/Size (\d+)/.exec(text.slice(xrefOffset))?.[1])
  return { ...scanRevision0(good), sizeBytes: other.length, xrefOffset, size }
}
