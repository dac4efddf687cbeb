import { rm, writeFile } from 'node:fs/promises'
import { runJudge } from '@proofdesk/certify/testing'
import { DECODERS } from '@proofdesk/certify/testing/code-decoders'
import type { TestServer } from '../testing.ts'

/** A certified PDF's first page as a scanner of 150 dpi gives it. */
export async function printFirstPage({ deps }: TestServer, pdf: Uint8Array): Promise<Buffer> {
  const path = deps.blobs.temporaryPath()
  await writeFile(path, pdf)
  try {
    return (await runJudge('pdftoppm', '-r', '150', '-png', '-f', '1', '-l', '1', path)).output
  } finally {
    await rm(path)
  }
}

/** What a decoder of others reads in a picture. */
export async function readPrintedCode(picture: Buffer): Promise<string> {
  return (await DECODERS[1]!.read(picture)) ?? ''
}
