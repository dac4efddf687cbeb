import { readLatin1, writeLatin1 } from '../bytes.ts'
import { refuse } from '../errors.ts'
import type { Revision0Facts } from './scan.ts'

/** The parts of a sealing update that differ from file to file. */
export interface SealParts {
  /** The `.tlog-proof` text as UTF-8; null on an instance without a log, the proof slot then stays null. */
  proof: Uint8Array | null
  /** Time stated by the issuer, `D:YYYYMMDDHHmmSSZ`. */
  signedAt: string
  /** CMS signature in lower-case hex, padded with zeros; all zeros when rendered to be signed. */
  contentsHex: string
  /** Of all bytes of revision 0, 64 lower-case hex digits. */
  revision0Sha256: string
}

export interface RenderedSeal {
  /** To be appended to revision 0. */
  bytes: Uint8Array<ArrayBuffer>
  /** Length of the finished file, revision 0 included. */
  end: number
  /**
   * Offsets in the finished file of the value of /Contents, `<` and `>` included: the one part that the signature does not
   * cover, and the same two numbers that /ByteRange leaves out.
   */
  gap: [start: number, end: number]
}

/** Room for /ByteRange with offsets of up to ten digits; what is left over is spaces. */
const BYTE_RANGE_WIDTH = 40

/** No signature needs more; with 10 MB of proof it keeps the update far below any size that could hurt. */
export const MAX_CONTENTS_BYTES = 65_536
export const MAX_PROOF_BYTES = 9_999_999

/**
 * Renders layout 1 of the sealing update: an incremental update that only fills reserved null objects of revision 0, with
 * the proof (where there is one) and the certification signature (DocMDP, P 1: no change allowed). The writer and the
 * verifier both call it, so a seal is judged by comparing bytes. Layout 1 is frozen: a changed rendering needs a new
 * number, and verifiers keep this one.
 *
 * The form without proof is what an instance without a transparency log writes; a verifier accepts both forms.
 * @throws ProofError `seal` when a part is not in its one allowed form.
 * @see ISO 32000-2 sections 7.5.6 (incremental updates), 12.8.1 (signatures), 12.8.2.2 (DocMDP); ETSI EN 319 142-1
 */
export function renderSeal(facts: Revision0Facts, seal: SealParts): RenderedSeal {
  checkParts(seal)
  const proof = seal.proof ? renderProofObject(facts, seal.proof, seal.signedAt) : ''
  const signatureOffset = facts.sizeBytes + proof.length
  const beforeRange = startSignatureObject(facts, seal.signedAt)
  const gapStart = signatureOffset + beforeRange.length + BYTE_RANGE_WIDTH + CONTENTS_KEY.length
  const gapEnd = gapStart + seal.contentsHex.length + 2
  const afterContents = '>>\nendobj\n'
  const entries: XrefEntry[] = [{ object: facts.signatureSlot, offset: signatureOffset }]
  if (seal.proof) entries.push({ object: facts.proofSlot, offset: facts.sizeBytes })
  const closing = renderCrossReference(facts, entries, gapEnd + afterContents.length, seal.revision0Sha256.slice(0, 32))
  const end = gapEnd + afterContents.length + closing.length
  const byteRange = `[0 ${gapStart} ${gapEnd} ${end - gapEnd}]`.padEnd(BYTE_RANGE_WIDTH)
  const text = `${proof}${beforeRange}${byteRange}${CONTENTS_KEY}<${seal.contentsHex}>${afterContents}${closing}`
  return { bytes: writeLatin1(text), end, gap: [gapStart, gapEnd] }
}

const CONTENTS_KEY = '/Contents'

/** How a proof object begins: the verifier reads the length from it. */
export function startProofObject(facts: Revision0Facts, length: number, signedAt: string): string {
  const dictionary = `/Type/EmbeddedFile/Subtype/text#2Fplain/Params<</Size ${length}/ModDate(${signedAt})>>/Length ${length}`
  return `${facts.proofSlot} 0 obj\n<<${dictionary}>>\nstream\n`
}

export const PROOF_OBJECT_END = '\nendstream\nendobj\n'

/** How a signature object begins, up to the date: of the same length for every date. */
export function startSignatureDate(facts: Revision0Facts): string {
  return `${facts.signatureSlot} 0 obj\n<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(`
}

/** Everything of a signature object before the value of /ByteRange. */
function startSignatureObject(facts: Revision0Facts, signedAt: string): string {
  const parameters = '<</Type/TransformParams/P 1/V/1.2>>'
  const reference = `[<</Type/SigRef/TransformMethod/DocMDP/TransformParams${parameters}>>]`
  return `${startSignatureDate(facts)}${signedAt})/Reference${reference}/ByteRange`
}

/** Bytes from the start of the signature object to the first hex digit of /Contents. */
export function measureToContents(facts: Revision0Facts, signedAt: string): number {
  return startSignatureObject(facts, signedAt).length + BYTE_RANGE_WIDTH + CONTENTS_KEY.length + 1
}

function renderProofObject(facts: Revision0Facts, proof: Uint8Array, signedAt: string): string {
  return `${startProofObject(facts, proof.length, signedAt)}${readLatin1(proof)}${PROOF_OBJECT_END}`
}

function checkParts({ proof, signedAt, contentsHex, revision0Sha256 }: SealParts): void {
  if (!/^D:\d{14}Z$/.test(signedAt)) refuse('seal', 'date of the signature')
  if (!/^([0-9a-f]{2})+$/.test(contentsHex) || contentsHex.length > 2 * MAX_CONTENTS_BYTES) refuse('seal', '/Contents')
  if (!/^[0-9a-f]{64}$/.test(revision0Sha256)) refuse('seal', 'SHA-256 of revision 0')
  if (proof && (proof.length === 0 || proof.length > MAX_PROOF_BYTES)) refuse('seal', 'length of the proof')
}

interface XrefEntry {
  object: number
  /** In the finished file. */
  offset: number
}

/** Cross-reference of the kind that revision 0 has, and the end of the file. */
function renderCrossReference(facts: Revision0Facts, changed: XrefEntry[], xrefOffset: number, id: string): string {
  const info = facts.info === null ? '' : `/Info ${facts.info} 0 R`
  const trailer = `/Prev ${facts.xrefOffset}/Root ${facts.catalog} 0 R${info}/ID[<${facts.id}><${id}>]`
  const xref =
    facts.xrefKind === 'table'
      ? renderTable(facts, changed, trailer)
      : renderStream(facts, changed, trailer, xrefOffset)
  return `${xref}startxref\n${xrefOffset}\n%%EOF\n`
}

/** ISO 32000-2 section 7.5.4. */
function renderTable(facts: Revision0Facts, changed: XrefEntry[], trailer: string): string {
  const sections = groupRuns(changed).map((run) => {
    const lines = run.map(({ offset }) => `${String(offset).padStart(10, '0')} 00000 n\r\n`)
    return `${run[0]?.object} ${run.length}\n${lines.join('')}`
  })
  return `xref\n${sections.join('')}trailer\n<</Size ${facts.size}${trailer}>>\n`
}

/** ISO 32000-2 section 7.5.8; the stream is the one object the update adds, and lists itself. */
function renderStream(facts: Revision0Facts, changed: XrefEntry[], trailer: string, xrefOffset: number): string {
  const runs = groupRuns([...changed, { object: facts.size, offset: xrefOffset }])
  const index = runs.map((run) => `${run[0]?.object} ${run.length}`).join(' ')
  const data = runs
    .flat()
    .map(({ offset }) => `\u0001${writeOffset(offset)}\0`)
    .join('')
  const dictionary = `/Type/XRef/Size ${facts.size + 1}/W[1 5 1]/Index[${index}]${trailer}/Length ${data.length}`
  return `${facts.size} 0 obj\n<<${dictionary}>>\nstream\n${data}\nendstream\nendobj\n`
}

/** Five bytes, big-endian. */
function writeOffset(offset: number): string {
  return String.fromCharCode(
    (offset / 2 ** 32) & 0xff,
    offset >>> 24,
    (offset >>> 16) & 0xff,
    (offset >>> 8) & 0xff,
    offset & 0xff,
  )
}

/** Sorted by number and cut into runs of numbers that follow each other. */
function groupRuns(entries: XrefEntry[]): XrefEntry[][] {
  const runs: XrefEntry[][] = []
  for (const entry of entries.toSorted((a, b) => a.object - b.object)) {
    const run = runs.at(-1)
    if (run?.at(-1)?.object === entry.object - 1) run.push(entry)
    else runs.push([entry])
  }
  return runs
}
