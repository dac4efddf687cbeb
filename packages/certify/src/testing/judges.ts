import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startSmall } from './start-small.ts'

/** Programs of others that judge what we write, and the Debian package of each. */
const PACKAGES = {
  qpdf: 'qpdf',
  pdfsig: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdfimages: 'poppler-utils',
  pdffonts: 'poppler-utils',
  pdfdetach: 'poppler-utils',
  openssl: 'openssl',
  zbarimg: 'zbar-tools',
  certutil: 'libnss3-tools',
  // its library for logs is golang-golang-x-mod-dev
  go: 'golang-go',
  python3: 'python3',
} as const

export type Judge = keyof typeof PACKAGES

/**
 * Call it first in a test that asks outside judges.
 * @returns false, and the test is skipped, when one is missing on this machine; where CI is set that is a failure.
 */
export function needJudge(test: { skip(reason?: string): void }, ...judges: Judge[]): boolean {
  const missing = judges.filter((judge) => !isInstalled(judge))
  if (missing.length === 0) return true
  const reason = missing.map((judge) => `${judge} (Debian package ${PACKAGES[judge]}) is not installed`).join(', ')
  if (process.env.CI === 'true') throw new Error(reason)
  test.skip(reason)
  return false
}

/** A judge that is still thinking is ended: some damaged files make them think for minutes. Of its own time, whatever else runs. */
const PROCESSOR_SECONDS = 10
const LIMITED = `ulimit -t ${PROCESSOR_SECONDS} && exec "$0" "$@"`
/** One that waits for ever takes no time of its own. */
const TIMEOUT_MS = 120_000

/** Runs a judge. @returns exit code (-1 when it was ended), what it printed as text, and standard output as bytes. */
export async function runJudge(
  judge: Judge,
  ...args: string[]
): Promise<{ code: number; text: string; output: Buffer }> {
  const run = { file: 'sh', args: ['-c', LIMITED, judge, ...args], timeoutMs: TIMEOUT_MS, maxBytes: 64 << 20 }
  const { code, output, errors } = await startSmall(run)
  const [printed, complained] = [Buffer.from(output), Buffer.from(errors)]
  return { code, text: `${printed.toString('utf8')}${complained.toString('utf8')}`, output: printed }
}

function isInstalled(judge: Judge): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, judge), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
