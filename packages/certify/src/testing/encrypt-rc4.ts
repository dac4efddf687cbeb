import { createHash } from 'node:crypto'
import { makeOnePage } from './odd-pdfs.ts'

/** What fills a password up (ISO 32000-2 section 7.6.4.3.2). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const OWNER_ENTRY = Buffer.alloc(32, 7)
const PERMISSIONS = -4
const WORDS = 'BT /F1 24 Tf 60 500 Td (Original words) Tj ET'

/**
 * One page under the oldest encryption, with the empty password, which no program at hand writes for files without an identifier.
 * @param id What the trailer says of one; it counts as one of no length.
 */
export function makeWithoutIdentifier(id = ''): Buffer {
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  const key = hash(PADDING, OWNER_ENTRY, permissions).subarray(0, 5)
  // by number and generation of the object, three and two bytes
  const content = encryptRc4(hash(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10), Buffer.from(WORDS))
  const entries = `/O <${OWNER_ENTRY.toString('hex')}> /U <${encryptRc4(key, PADDING).toString('hex')}> /P ${PERMISSIONS}`
  return makeOnePage({
    content: content.toString('latin1'),
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 ${entries} >> ${id}`,
  })
}

const hash = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

function encryptRc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i)
  const swap = (i: number, k: number): void => {
    const held = state[i]!
    state[i] = state[k]!
    state[k] = held
  }
  for (let i = 0, k = 0; i < 256; i++) swap(i, (k = (k + state[i]! + key[i % key.length]!) & 255))
  let [i, k] = [0, 0]
  return data.map((byte) => {
    i = (i + 1) & 255
    k = (k + state[i]!) & 255
    swap(i, k)
    return byte ^ state[(state[i]! + state[k]!) & 255]!
  }) as Buffer
}
