import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { makeOnePage } from '../odd-pdfs.ts'
import {
  PNG_END as END,
  PNG_SIGNATURE as SIGNATURE,
  writeChunk as chunk,
  writeHeader as header,
  writeRawPng as png,
} from '../raw-png.ts'
import { hostile, type HostileFile } from './hostile-file.ts'
import { deflateZeros } from './inflating-data.ts'

/** Images that announce more than they hold, or hold more than they announce. */

const SMALL = { width: 16, height: 16 }
const SMALL_ROWS = deflateSync(Buffer.alloc(16 * 17))
const named = (name: string, ...rest: (string | Uint8Array)[]): Buffer =>
  Buffer.concat([Buffer.from(name), ...rest.map((part) => Buffer.from(part as string))])

/** A small picture followed by a second one as an animation has it. */
function animated(): Buffer {
  const control = Buffer.alloc(26)
  control.writeUInt32BE(16, 4)
  control.writeUInt32BE(16, 8)
  const next = Buffer.from(control)
  next.writeUInt32BE(1, 0)
  const order = Buffer.from([0, 0, 0, 2])
  return Buffer.concat([
    SIGNATURE,
    header(SMALL),
    chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    chunk('fcTL', control),
    chunk('IDAT', SMALL_ROWS),
    chunk('fcTL', next),
    chunk('fdAT', Buffer.concat([order, Buffer.from('evil'), deflateZeros(64)])),
    END,
  ])
}

/** A plain JPEG of this size, so that a header can be taken from it. */
const jpeg = (width: number, height: number, progressive: boolean): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#777' } })
    .jpeg({ progressive })
    .toBuffer()

async function jpegOfGiantSize(): Promise<Buffer> {
  const bytes = Buffer.from(await jpeg(64, 64, false))
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(65_500, frame + 5)
  bytes.writeUInt16BE(65_500, frame + 7)
  return bytes
}

/** The last scan of a progressive picture again and again: each makes a decoder go through the whole picture. */
async function jpegOfManyScans(scans: number): Promise<Buffer> {
  const bytes = await jpeg(6000, 6000, true)
  const tables = bytes.lastIndexOf(Buffer.from([0xff, 0xc4]))
  const end = bytes.lastIndexOf(Buffer.from([0xff, 0xd9]))
  const scan = bytes.subarray(tables, end)
  return Buffer.concat([bytes.subarray(0, end), ...Array.from({ length: scans }, () => scan), bytes.subarray(end)])
}

const TOO_LARGE = { refused: ['image_too_large'] } as const
const BOMB = { refused: ['decompression_bomb'] } as const

export const IMAGES: readonly HostileFile[] = [
  hostile('PNG of 30,000 x 30,000 pixels', TOO_LARGE, () => png({ width: 30_000, height: 30_000 }, deflateZeros(858))),
  hostile('interlaced PNG of 30,000 x 30,000 pixels', TOO_LARGE, () =>
    png({ width: 30_000, height: 30_000, interlaced: true }, deflateZeros(858)),
  ),
  hostile('PNG of 1 x 2,147,483,647 pixels', TOO_LARGE, () =>
    png({ width: 1, height: 2_147_483_647 }, deflateZeros(64)),
  ),
  hostile('PNG of 4,294,967,295 x 0 pixels', { refused: ['unreadable', 'truncated'] }, () =>
    png({ width: 4_294_967_295, height: 0 }, SMALL_ROWS),
  ),
  hostile('interlaced transparent PNG of 99 million pixels', { taken: 1 }, () =>
    png({ width: 9949, height: 9949, colourType: 6, interlaced: true }, deflateZeros(380)),
  ),
  hostile('PNG with a gigabyte behind its last row', BOMB, () => png(SMALL, deflateZeros(1024))),
  hostile('PNG with a compressed text of a gigabyte', { taken: 1, gone: ['evil'] }, () =>
    png(SMALL, SMALL_ROWS, [chunk('zTXt', named('evil\0\0', deflateZeros(1024)))]),
  ),
  hostile('PNG with an international text of a gigabyte', { taken: 1, gone: ['evil'] }, () =>
    png(SMALL, SMALL_ROWS, [chunk('iTXt', named('evil\0\u0001\0\0\0', deflateZeros(1024)))]),
  ),
  hostile('PNG with a colour profile of a gigabyte', { taken: 1, gone: ['evil'] }, () =>
    png(SMALL, SMALL_ROWS, [chunk('iCCP', named('evil\0\0', deflateZeros(1024)))]),
  ),
  hostile('PNG with 100,000 texts', { taken: 1, gone: ['evil'] }, () =>
    png(
      SMALL,
      SMALL_ROWS,
      Array.from({ length: 100_000 }, () => chunk('tEXt', Buffer.from('evil\0x'))),
    ),
  ),
  hostile('animated PNG', { taken: 1, gone: ['evil', 'fdAT'] }, animated),
  hostile('PNG with a web page behind its end', { taken: 1, gone: ['evil'] }, () =>
    png(SMALL, SMALL_ROWS, [], Buffer.from('<script>evil()</script>')),
  ),
  hostile('JPEG of 65,500 x 65,500 pixels', TOO_LARGE, jpegOfGiantSize),
  hostile('JPEG of 20,000 scans', { refused: ['unreadable', 'too_slow', 'truncated', 'decompression_bomb'] }, () =>
    jpegOfManyScans(20_000),
  ),
  hostile('JPEG with a PDF behind its end', { taken: 1 }, async () =>
    Buffer.concat([await jpeg(64, 64, false), makeOnePage()]),
  ),
  hostile('JPEG with a web page in its comment', { taken: 1 }, async () => {
    const bytes = await jpeg(64, 64, false)
    const text = Buffer.from('<script>evil()</script>')
    const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2])
    return Buffer.concat([bytes.subarray(0, 2), comment, text, bytes.subarray(2)])
  }),
]
