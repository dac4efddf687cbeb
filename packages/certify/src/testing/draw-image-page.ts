import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { DocumentType } from '../types.ts'
import { runJudge } from './judges.ts'
import type { Workshop } from './sample-request.ts'

export interface DrawnImagePage {
  width: number
  height: number
  /** The certified PDF. */
  file: Buffer
  path: string
  /** Red, green, blue at a place, given as shares of the page. */
  at(x: number, y: number): number[]
}

/** Certifies one image and has its page drawn by poppler, a pixel to a point. */
export async function drawImagePage(
  workshop: Workshop,
  bytes: Uint8Array,
  type: DocumentType,
): Promise<DrawnImagePage> {
  const { path } = await workshop.certify([await workshop.addOriginal(bytes, type)])
  const { output } = await runJudge('pdftoppm', '-r', '72', '-png', '-f', '2', '-l', '2', path)
  const { data, info } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    file: await readFile(path),
    path,
    at(x, y) {
      const offset = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels
      return [...data.subarray(offset, offset + 3)]
    },
  }
}

export const nameColour = ([red, green, blue]: number[]): string =>
  green! > 100 && red! < 100 ? 'green' : red! > 120 ? 'red' : blue! > 120 ? 'blue' : 'other'
