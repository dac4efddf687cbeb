import { deflateSync } from 'node:zlib'
import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf, withImage } from './ambiguous-file.ts'

const GREY = '/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray'
const RAMP = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i % 64) * 4))
const DIGITS = RAMP.toString('hex')

/** Groups of five letters for four bytes (ISO 32000-2 section 7.4.3). */
function writeAscii85(bytes: Buffer): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const left = Math.min(4, bytes.length - at)
    let value = Buffer.concat([bytes.subarray(at, at + left), Buffer.alloc(4 - left)]).readUInt32BE()
    const group = Array.from({ length: 5 }, () => {
      const digit = value % 85
      value = (value - digit) / 85
      return String.fromCharCode(33 + digit)
    })
    letters += group
      .toReversed()
      .join('')
      .slice(0, left + 1)
  }
  return letters
}

const LETTERS = writeAscii85(RAMP)
const half = (text: string, between: string): string => text.slice(0, 1002) + between + text.slice(1002)

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

const formIn = (filter: string, data: string): Buffer =>
  makeSmallPage({
    content: '/Fm Do',
    resources: '/XObject << /Fm 6 0 R >>',
    more: [formOf(data, `/Filter ${filter}`)],
  })

/** Data in letters and codes that readers go through in their own ways, and ranges and palettes that each has its own arithmetic for. */
export const AMBIGUOUS_PACKED: readonly AmbiguousFile[] = [
  ...['w', 'z', '\0', '~'].map((letter) =>
    unlike(
      `An image in 85 letters with ${JSON.stringify(letter)} within a group`,
      'Readers begin the group anew, pass over it, or end (7.4.3).',
      withImage(`${GREY} /Filter /ASCII85Decode`, `${half(LETTERS, letter)}~>`),
    ),
  ),
  unlike(
    'A form in 85 letters with another within a group',
    'Readers begin the group anew, pass over it, or end (7.4.3).',
    formIn('/ASCII85Decode', `${writeAscii85(Buffer.from(say('PASSED')))}!!w!!!~>`),
  ),
  unlike(
    'A form in 85 letters with another within a group that are packed once more',
    'Readers begin the group anew, pass over it, or end (7.4.3).',
    formIn(
      '[/FlateDecode /ASCII85Decode]',
      deflateSync(`${writeAscii85(Buffer.from(say('PASSED')))}!!w!!!~>`).toString('latin1'),
    ),
  ),
  {
    title: 'A form in 85 letters shows its words',
    why: 'White space may stand between letters (7.4.3).',
    bytes: formIn('/ASCII85Decode', `${writeAscii85(Buffer.from(say('PASSED'))).replaceAll(/.{30}/g, '$&\r\n')}~>`),
    outcome: { words: 'PASSED' },
  },
  ...['g', '\0', '<'].map((letter) =>
    unlike(
      `An image in hexadecimal digits with ${JSON.stringify(letter)} among them`,
      'Poppler takes it for a digit (7.4.2).',
      withImage(`${GREY} /Filter /ASCIIHexDecode`, `${half(DIGITS, letter)}>`),
    ),
  ),
  ...['2', '-1', '.5'].map((early) =>
    unlike(
      `An image whose codes grow longer ${early} codes early`,
      'It is one or nothing (table 8).',
      withImage(
        '/Width 10 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter [/ASCIIHexDecode /LZWDecode] ' +
          `/DecodeParms [null << /EarlyChange ${early} >>]`,
        '800B6050220C0C8501>',
      ),
    ),
  ),
  ...[2, 4, 16].map((bits) =>
    unlike(
      `An image with rows of differences of ${bits} bits`,
      'Readers add them up in their own ways (7.4.4.4).',
      withImage(
        `/Width 64 /Height 64 /BitsPerComponent ${bits} /ColorSpace /DeviceGray /Filter /FlateDecode ` +
          `/DecodeParms << /Predictor 2 /Columns 64 /BitsPerComponent ${bits} >>`,
        deflateSync(RAMP.subarray(0, 512 * bits)),
      ),
    ),
  ),
  ...['[0 0]', '[1 1]', '[0 .5]', '[0 2]', '[-1 0]'].map((range) =>
    unlike(
      `An image of one bit with the range ${range}`,
      'The reviewer’s reader turns it round, others calculate (8.9.5.2).',
      withImage(
        `/Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace /DeviceGray /Decode ${range}`,
        Buffer.alloc(512, 0xf0),
      ),
    ),
  ),
  ...['[100 0 -128 127 -128 127]', '[0 1 0 1 0 1]'].map((range) =>
    unlike(
      `An image in Lab with the range ${range}`,
      'The reviewer’s reader and Ghostscript heed none (8.9.5.2).',
      withImage(
        `/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace [/Lab << /WhitePoint [0.9505 1 1.089] ` +
          `/Range [-128 127 -128 127] >>] /Decode ${range}`,
        RAMP.toString('latin1').repeat(3),
      ),
    ),
  ),
  ...[
    '[/Indexed /DeviceRGB -1 <000000FFFFFF>]',
    '[/Indexed /DeviceRGB 1.5 <000000FFFFFF>]',
    '[/Indexed null 1 <000000FFFFFF>]',
    '[/Indexed [/Indexed /DeviceGray 1 <00FF>] 1 <0100>]',
    '[/Indexed [/Pattern] 1 <0100>]',
  ].map((space) =>
    unlike(
      `An image in the palette ${space}`,
      'Each reader makes up another, or none (8.6.6.3).',
      withImage(`/Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace ${space}`, Buffer.alloc(512, 0xf0)),
    ),
  ),
  unlike(
    'A palette for samples of sixteen bits',
    'Readers take their upper or their lower half (8.6.6.3).',
    withImage(
      '/Width 64 /Height 64 /BitsPerComponent 16 /ColorSpace [/Indexed /DeviceRGB 1 <FFFFFF000000>]',
      Buffer.concat([RAMP, RAMP]),
    ),
  ),
  ...['', '/N 2', '/N 0'].map((entry) =>
    unlike(
      `An image by a profile with ${entry === '' ? 'no number' : `the number ${entry}`} of colours`,
      'Readers take the stand-in, grey, or nothing (8.6.5.5).',
      withImage(
        '/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace [/ICCBased 7 0 R]',
        RAMP.toString('latin1').repeat(3),
        [streamOf('none', `${entry} /Alternate /DeviceRGB`)],
      ),
    ),
  ),
  {
    title: 'A profile for four inks has no stand-in of three colours',
    why: 'Poppler shows nothing then (8.6.5.5).',
    bytes: withImage(
      '/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace [/ICCBased 7 0 R]',
      RAMP.toString('latin1').repeat(4),
      [streamOf('none', '/N 4 /Alternate /DeviceRGB')],
    ),
  },
]
