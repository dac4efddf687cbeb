// Nothing but decoding, with the library and the settings the product decodes with: `node decode-photograph.ts MS FILE`.
// Tells as JSON how often.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'

const [lasts, source = ''] = [Number(process.argv[2]), process.argv[3]]
const bytes = readFileSync(source)
const { height } = await sharp(bytes).metadata()
await decode()
const begin = performance.now()
let count = 0
do {
  await decode()
  count += 1
} while (performance.now() - begin < lasts)
const seconds = (performance.now() - begin) / 1000
process.stdout.write(JSON.stringify({ count, seconds }))

async function decode(): Promise<void> {
  const image = sharp(bytes, { failOn: 'warning', sequentialRead: true })
  await image.extract({ left: 0, top: 0, width: 1, height }).raw().toBuffer()
}
