import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

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
  return new Promise((resolve) => {
    const options = { encoding: 'buffer', maxBuffer: 64 << 20, timeout: TIMEOUT_MS } as const
    execFile('sh', ['-c', LIMITED, judge, ...args], options, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, text: `${output.toString('utf8')}${errors.toString('utf8')}`, output })
    })
  })
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
