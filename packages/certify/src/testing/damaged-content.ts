import { deflateSync } from 'node:zlib'
import { streamOf } from './ambiguous-file.ts'
import { makeOnePage } from './odd-pdfs.ts'

/** Content whose deflated data are damaged, and images that only who unpacks them sees. */

const WORDS = 'BT /F1 24 Tf 60 500 Td (Original words) Tj ET'

export const DAMAGED_LINES = 2000

/**
 * Lines of small text, more than 64 kB of them, whose deflated data are damaged.
 * @param damage The checksum is wrong, the window is too small, or the data are cut.
 * @param filters Around the deflated data.
 */
export function makeDamagedContent(damage: 'checksum' | 'window' | 'end', filters: 'one' | 'two' = 'one'): Buffer {
  const lines = Array.from(
    { length: DAMAGED_LINES },
    (_, i) => `BT /F1 2 Tf ${20 + (i % 10) * 50} ${830 - 0.4 * i} Td (${i}) Tj ET\n`,
  )
  const text = Buffer.from(lines.join(''), 'latin1')
  const data = deflateSync(filters === 'two' ? Buffer.from(`${text.toString('hex')}>`) : text)
  if (damage === 'checksum') data[data.length - 1]! ^= 0xff
  // 256 bytes, and the check of these two bytes
  if (damage === 'window') data.set([0x08, 0x1d])
  const packed = damage === 'end' ? data.subarray(0, data.length >> 1) : data
  const names = filters === 'two' ? '[/FlateDecode /ASCIIHexDecode]' : '/FlateDecode'
  const pdf = makeOnePage({ more: [streamOf(packed.toString('latin1'), `/Filter ${names}`)] }).toString('latin1')
  return Buffer.from(pdf.replace('/Contents 4 0 R', '/Contents 6 0 R'), 'latin1')
}

/**
 * Deflated content with a distance in its midst that reaches behind its beginning: some readers stop there, some go on. In
 * stored blocks, and one of fixed codes (RFC 1951 section 3.2).
 */
export function makeFaultyContent(place: 'page' | 'form' = 'page'): Buffer {
  const store = (text: string, isLast: boolean): Buffer => {
    const head = Buffer.from([isLast ? 1 : 0, 0, 0, 0, 0])
    head.writeUInt16LE(text.length, 1)
    head.writeUInt16LE(0xffff - text.length, 3)
    return Buffer.concat([head, Buffer.from(text, 'latin1')])
  }
  // the kind of block, three bytes from 32,768 before, its end
  const bits = ['010', '0000001', '11101', '1'.repeat(13), '0000000'].join('').padEnd(40, '0')
  const block = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt([...byte].toReversed().join(''), 2)))
  const later = ` ${WORDS.replace('60 500', '60 300').replace('Original', 'Later')}`
  const data = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    store(WORDS, false),
    block,
    store(later, true),
    Buffer.alloc(4),
  ])
  return placeContent(data, place)
}

/** An image among operators that ends at two places, in a form whose checksum is wrong. */
export function makeUncheckedForm(): Buffer {
  const data = deflateSync(
    Buffer.from('BI /W 4 /H 1 /BPC 8 /CS /G ID \n EI Q BT /F1 24 Tf (Hidden) Tj ET q EI', 'latin1'),
  )
  data[data.length - 1]! ^= 0xff
  return placeContent(data, 'form')
}

function placeContent(deflated: Buffer, place: 'page' | 'form'): Buffer {
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>'
  const more = [streamOf(deflated.toString('latin1'), `/Filter /FlateDecode ${place === 'form' ? form : ''}`)]
  if (place === 'form') {
    return makeOnePage({ content: '/Fm Do', page: '/Resources << /XObject << /Fm 6 0 R >> >>', more })
  }
  return Buffer.from(makeOnePage({ more }).toString('latin1').replace('/Contents 4 0 R', '/Contents 6 0 R'), 'latin1')
}
