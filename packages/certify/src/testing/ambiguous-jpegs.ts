import { type AmbiguousFile, imageOf, withImage } from './ambiguous-file.ts'
import { adobeSegment, makeSmallJpeg } from './small-jpeg.ts'

const SPACES: Record<number, string> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }
const SIZE = '/Width 64 /Height 64 /BitsPerComponent 8'

const withJpeg = (components: number, data: Buffer, entries = ''): Buffer =>
  withImage(`${SIZE} /ColorSpace ${SPACES[components]!} /Filter /DCTDecode ${entries}`, data)

/** Without one of the marks at which decoding begins again. */
function dropRestart(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf('\xff\xd3', 0, 'latin1')
  return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2)])
}

/** The next of these marks behind the last data, which eight rows end with. */
const addRestart = (jpeg: Buffer, marker: string): Buffer =>
  Buffer.concat([jpeg.subarray(0, -2), Buffer.from(marker, 'latin1'), jpeg.subarray(-2)])

const DARK = makeSmallJpeg(1)

/** JPEGs that say something twice, or less than all, and decoders that find their way through them. */
export const AMBIGUOUS_JPEGS: readonly AmbiguousFile[] = [
  ...[
    ['with two components of one name', makeSmallJpeg(3, { names: [1, 1, 1] }), 3],
    ['with a scan that comes twice', makeSmallJpeg(3, { scans: [[0], [1], [2], [0]] }), 3],
    ['without the scan of a component', makeSmallJpeg(3, { scans: [[0], [1]] }), 3],
    ['with the rough scan alone', makeSmallJpeg(1, { frame: 0xc2 }), 1],
    ['without a mark at which it begins again', dropRestart(makeSmallJpeg(1, { interval: 8 })), 1],
    ['with two more marks at its end', addRestart(makeSmallJpeg(1, { interval: 8 }), '\xff\xd7\xff\xd0'), 1],
    ['with data behind a mark too many', addRestart(makeSmallJpeg(1, { interval: 8 }), '\xff\xd7\x12\x34'), 1],
    ['that ends in another', Buffer.concat([makeSmallJpeg(1, { end: [] }), DARK]), 1],
  ].map(([what, data, components]): AmbiguousFile => ({
    title: `A JPEG ${what as string} is not copied`,
    why: 'Decoders take the first or the last of it, guess, or go on elsewhere (ITU-T T.81 annexes B, E and G).',
    bytes: withJpeg(components as number, data as Buffer),
    outcome: 'unlike',
  })),
  ...[1, 2].map((transform): AmbiguousFile => ({
    title: `A JPEG of four inks with the transform ${transform} is not copied without a mark of its own`,
    why: 'Each reader heeds another of them (7.4.8).',
    bytes: withJpeg(4, makeSmallJpeg(4), `/DecodeParms << /ColorTransform ${transform} >>`),
    outcome: 'unlike',
  })),
  {
    title: 'A JPEG of four inks with a mark of its own is shown by that',
    why: 'It comes before what the PDF says (7.4.8).',
    bytes: withJpeg(4, makeSmallJpeg(4, { head: adobeSegment(2) }), '/DecodeParms << /ColorTransform 0 >>'),
  },
  {
    title: 'A JPEG that begins again after each row is shown',
    why: 'Cameras write them so (ITU-T T.81 section E.1).',
    bytes: withJpeg(1, makeSmallJpeg(1, { interval: 8 })),
  },
  {
    title: 'A JPEG that begins again after its last row, where nothing follows, is shown',
    why: 'Scanners write a mark after every row (ITU-T T.81 section E.1).',
    bytes: withJpeg(1, addRestart(makeSmallJpeg(1, { interval: 8 }), '\xff\xd7')),
  },
  {
    title: 'A JPEG whose components have scans of their own is shown',
    why: 'Baseline frames may have them (ITU-T T.81 section A.2).',
    bytes: withJpeg(3, makeSmallJpeg(3, { scans: [[0], [1], [2]] })),
  },
  {
    title: 'A JPEG with a range between nothing and half is not copied',
    why: 'Only its reverse is common (8.9.5.2).',
    bytes: withJpeg(1, DARK, '/Decode [0 .5]'),
    outcome: 'unlike',
  },
  {
    title: 'A mask of opacity that is a JPEG of three components is not copied, whatever it says',
    why: 'Some readers see no mask, some its first component (table 144).',
    bytes: withImage(`${SIZE} /ColorSpace /DeviceGray /SMask 7 0 R`, Buffer.alloc(4096), [
      imageOf(`${SIZE} /ColorSpace /DeviceGray /Filter /DCTDecode`, makeSmallJpeg(3)),
    ]),
    outcome: 'unlike',
  },
]
