import { toBase32 } from '@proofdesk/proof/paper/base32'
import { makePdf } from '../testing.ts'
import { DECODERS } from './code-decoders.ts'
import { degradePrint, drawWear, startNumbers } from './degrade-print.ts'
import { runJudge } from './judges.ts'
import { openWorkshop, type Workshop } from './sample-request.ts'

const RESOLUTIONS = [100, 150, 200, 250, 300]

/** Where the code stands on the first page, in parts of the width: 190 of 595 points, 9 short of the right edge of the panel. */
const PLACE = { x: 0.588, y: 0.19, size: 0.32 }

/** A certificate that is printed, and what its code holds. */
interface Printed {
  path: string
  text: string
}

/** What came of the prints of one resolution. */
export interface TrialRow {
  dpi: number
  prints: number
  /** Prints whose code was read to the last letter, by the name of the decoder. */
  read: Record<string, number>
}

export interface Trial {
  prints: number
  seed: number
  /** Bytes of the signed codes, and the addresses before them. */
  codes: readonly { bytes: number; address: string }[]
  resolutions?: readonly number[]
}

/** Codes of short and of long names, as `encodePaperClaims` lets them be. */
export const USUAL_CODES: Trial['codes'] = [
  { bytes: 236, address: 'https://proof.example/service-content#' },
  { bytes: 256, address: 'https://proof.example/service-content#' },
  { bytes: 270, address: 'https://proofs.example.org/service-content#' },
  { bytes: 286, address: 'https://proofs.example.org/service-content#' },
]

/**
 * Prints certificates, wears the prints and has them read, each resolution as often as any other.
 * @param onPrint Told of every print that is done.
 */
export async function runPrintTrial(trial: Trial, onPrint: () => void = () => {}): Promise<TrialRow[]> {
  const { prints, seed, codes, resolutions = RESOLUTIONS } = trial
  const next = startNumbers(seed)
  const workshop = await openWorkshop()
  try {
    const certificates: Printed[] = []
    for (const code of codes) certificates.push(await makeCertificate(workshop, code, next))
    const rows: TrialRow[] = []
    for (const dpi of resolutions) {
      const pages = await Promise.all(certificates.map(({ path }) => printPage(path, dpi)))
      const row: TrialRow = { dpi, prints: 0, read: Object.fromEntries(DECODERS.map(({ name }) => [name, 0])) }
      for (let i = 0; i < prints / resolutions.length; i++) {
        const at = i % certificates.length
        const picture = await degradePrint(pages[at]!, drawWear(next, dpi, PLACE))
        const texts = await Promise.all(DECODERS.map((decoder) => decoder.read(picture)))
        row.prints += 1
        for (const [n, { name }] of DECODERS.entries()) {
          if (texts[n] === certificates[at]!.text) row.read[name]! += 1
        }
        onPrint()
      }
      rows.push(row)
    }
    return rows
  } finally {
    await workshop.close()
  }
}

/** What is signed looks like chance, so chance takes its place. */
async function makeCertificate(
  workshop: Workshop,
  { bytes, address }: Trial['codes'][number],
  next: (below: number) => number,
): Promise<Printed> {
  const data = toBase32(Uint8Array.from({ length: bytes }, () => next(256)))
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const { path } = await workshop.certify([original], { code: { address, data } })
  return { path, text: address + data }
}

async function printPage(path: string, dpi: number): Promise<Buffer> {
  const { output } = await runJudge('pdftoppm', '-r', String(dpi), '-png', '-f', '1', '-l', '1', path)
  return output
}
