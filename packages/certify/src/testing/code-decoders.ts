import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { runJudge } from './judges.ts'

/** A program of others that reads QR codes. */
export interface CodeDecoder {
  name: string
  /** @returns undefined where it finds none. */
  read(picture: Buffer): Promise<string | undefined>
}

const require = createRequire(import.meta.url)
let isReady = false

/** Its library is otherwise fetched from the network. */
async function prepareZxing(): Promise<void> {
  if (isReady) return
  isReady = true
  const wasmBinary = new Uint8Array(await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer
  prepareZXingModule({ overrides: { wasmBinary } })
}

/** Two that share no code: zbar, which needs its Debian package, and ZXing in C++. */
export const DECODERS: readonly CodeDecoder[] = [
  {
    name: 'zbar',
    async read(picture) {
      const folder = await mkdtemp(join(tmpdir(), 'code-'))
      try {
        const path = join(folder, 'picture')
        await writeFile(path, picture)
        const { code, output } = await runJudge('zbarimg', '-q', '--raw', '-Sdisable', '-Sqrcode.enable', path)
        return code === 0 ? output.toString('utf8').replace(/\n$/, '') : undefined
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  },
  {
    name: 'ZXing',
    async read(picture) {
      await prepareZxing()
      const { data, info } = await sharp(picture)
        .toColourspace('srgb')
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const image = {
        data: new Uint8ClampedArray(data),
        width: info.width,
        height: info.height,
        colorSpace: 'srgb' as const,
      }
      const [found] = await readBarcodes(image, { formats: ['QRCode'], tryHarder: true })
      return found?.text
    },
  },
]
