import { decodeText } from '../pdf/decode-ascii.ts'
import type { InlineImages } from './inline-image-ends.ts'

/** Short and full names of filters (ISO 32000-2 table 92). */
const JPEG = /\/DCT(?:Decode)?(?![\w#])/
const LETTERS = /\/(A85|ASCII85Decode|AHx|ASCIIHexDecode)(?![\w#])/

/** The JPEGs that stand among operators, from where each begins; one in yet another compression nobody writes, and none is looked for. */
export function listInlineJpegs(content: Buffer, { images }: InlineImages): Uint8Array[] {
  const jpegs: Uint8Array[] = []
  for (const { dictionary, data, end, lettersEnd } of images) {
    if (!JPEG.test(dictionary)) continue
    const [, label] = LETTERS.exec(dictionary) ?? []
    const packed = content.subarray(data, lettersEnd ?? end)
    const bytes = Buffer.from((label && decodeText(packed, label)) ?? packed)
    const start = bytes.indexOf('\xff\xd8', 0, 'latin1')
    if (start >= 0) jpegs.push(bytes.subarray(start))
  }
  return jpegs
}
