import { deflateSync } from 'node:zlib'
import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

const DRAWN = '/FontBBox [0 0 200 200] /FirstChar 97 /LastChar 97 /Widths [200] /Encoding << /Differences [97 /a] >>'

const withForm = (data: Buffer | string, entries: string): Buffer =>
  makeSmallPage({
    content: '/Fm Do',
    resources: '/XObject << /Fm 6 0 R >>',
    more: [
      streamOf(
        typeof data === 'string' ? data : data.toString('latin1'),
        `/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /Font << /F1 5 0 R >> >> ${entries}`,
      ),
    ],
  })

/** Squares of an ink whose grey a function tells. */
const withTint = (tint: string): Buffer =>
  makeSmallPage({
    content: '/S cs 1 scn 20 20 60 160 re f .5 scn 100 20 60 160 re f',
    resources: '/ColorSpace << /S [/Separation /X /DeviceGray 6 0 R] >>',
    more: [tint, '<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>'],
  })

/** A block of deflated data as it stands, and one of a kind that there is not (RFC 1951 section 3.2.3). */
function damage(text: string): string {
  const block = Buffer.from([0x78, 0x9c, 0, 0, 0, 0, 0])
  block.writeUInt16LE(text.length, 3)
  block.writeUInt16LE(0xffff - text.length, 5)
  return Buffer.concat([block, Buffer.from(text, 'latin1'), Buffer.from([7])]).toString('latin1')
}

/** Data of what draws, packed in ways that not all readers unpack alike, and names that they look up elsewhere. */
export const AMBIGUOUS_DATA: readonly AmbiguousFile[] = [
  {
    title: 'A form with a short name for how its data are packed is not copied',
    why: 'Such names are for images among operators; PDFium heeds none, the reviewer’s reader and Poppler do (8.9.7).',
    bytes: withForm(deflateSync(Buffer.from(say('PASSED'))), '/Filter /FlateDecode /DP << /Predictor 1 >>'),
    outcome: 'unlike',
  },
  {
    title: 'A form whose rows are packed in a way that nobody knows is not copied',
    why: 'The reviewer’s reader ends at it, others pass over it (7.4.4.4).',
    bytes: withForm(deflateSync(Buffer.from(say('PASSED'))), '/Filter /FlateDecode /DecodeParms << /Predictor 5 >>'),
    outcome: 'unlike',
  },
  {
    title: 'A form in hexadecimal digits with another letter among them is not copied',
    why: 'Some readers end there, others pass over it (7.4.2).',
    bytes: withForm(
      `${Buffer.from(say('PASSED', 150)).toString('hex')}g${Buffer.from(say('FAILED', 50)).toString('hex')}>`,
      '/Filter /ASCIIHexDecode',
    ),
    outcome: 'unlike',
  },
  {
    title: 'A form in hexadecimal digits on lines shows its words',
    why: 'White space may stand between digits (7.4.2).',
    bytes: withForm(
      `${Buffer.from(say('PASSED')).toString('hex').replaceAll(/.{20}/g, '$&\r\n')}>`,
      '/Filter /ASCIIHexDecode',
    ),
    outcome: { words: 'PASSED' },
  },
  {
    title: 'A colour space called as one that every reader has is that one',
    why: 'The reviewer’s reader takes its own, others look among the resources first (8.6.3).',
    bytes: makeSmallPage({
      content: `/RGB cs 0 0 0 scn ${say('Name')} /DeviceGray cs 0 scn 20 20 60 60 re f`,
      resources:
        '/ColorSpace << /RGB [/Separation /X /DeviceRGB 6 0 R] /DeviceGray [/Separation /X /DeviceRGB 6 0 R] >>',
      more: ['<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 1 1] /N 1 >>'],
    }),
    outcome: { words: 'Name' },
  },
  ...['glyph', 'tile'].map((kind): AmbiguousFile => ({
    title: `A ${kind} with a fault within its data is not copied`,
    why: 'Some readers go on behind it, others stop (7.4.4).',
    bytes: makeSmallPage({
      content: kind === 'glyph' ? 'BT /T3 1 Tf (a) Tj ET' : '/Pattern cs /P1 scn 0 0 200 200 re f',
      resources: kind === 'glyph' ? '/Font << /T3 6 0 R >>' : '/Pattern << /P1 7 0 R >>',
      more: [
        `<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] ${DRAWN} /CharProcs << /a 7 0 R >> /Resources << >> >>`,
        streamOf(
          damage(`200 0 d0 20 20 40 40 re f ${'% so it goes on and on\n'.repeat(9)} 100 100 40 40 re f`),
          `${kind === 'glyph' ? '' : '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 200 200] /XStep 200 /YStep 200 /Resources << >>'} /Filter /FlateDecode`,
        ),
      ],
    }),
    outcome: 'unlike',
  })),
  ...[
    '/FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0]',
    '/FunctionType 2 /C0 [1] /C1 [0] /N 1',
    '/FunctionType 2 /Domain [1 0] /C0 [1] /C1 [0] /N 1',
    '/FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0 0] /N 1',
    '/FunctionType 3 /Domain [0 1] /Functions [7 0 R 7 0 R] /Bounds [.5] /Encode [0 1]',
  ].map((entries): AmbiguousFile => ({
    title: `A colour by a function with the entries ${entries} is not copied`,
    why: 'Something that must be there is not, and readers make up what they like (7.10).',
    bytes: withTint(`<< ${entries} >>`),
    outcome: 'unlike',
  })),
  {
    title: 'A colour by a function with fewer samples than it says is not copied',
    why: 'Some readers take what is missing for nothing, some do not paint (7.10.2).',
    bytes: withTint(streamOf('\xff', '/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [4] /BitsPerSample 8')),
    outcome: 'unlike',
  },
  ...[
    '/FunctionType 2 /Domain [.4 .6] /C0 [1] /C1 [0] /N 1',
    '/FunctionType 2 /Domain [0 1] /Range [.8 1] /C0 [1] /C1 [0] /N 1',
    '/FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1',
    '/FunctionType 3 /Domain [0 1] /Functions [7 0 R] /Bounds [] /Encode [0 2]',
  ].map((entries): AmbiguousFile => ({
    title: `A colour by a function with the entries ${entries} is not copied`,
    why: 'Readers go on beyond what is said, or keep to it (7.10).',
    bytes: withTint(`<< ${entries} >>`),
    outcome: 'unlike',
  })),
  ...['/Size [1] /BitsPerSample 8', '/Size [2] /BitsPerSample 32'].map((entries): AmbiguousFile => ({
    title: `A colour by samples with the entries ${entries} is not copied`,
    why: 'Not all readers can read between them (7.10.2).',
    bytes: withTint(
      streamOf('\x00\x00\x00\x00\xff\xff\xff\xff', `/FunctionType 0 /Domain [0 1] /Range [0 1] ${entries}`),
    ),
    outcome: 'unlike',
  })),
  ...[
    ['[50 0 50 0]', 2],
    ['[100 100 0 100 100 0]', 3],
  ].map(([coords, kind]): AmbiguousFile => ({
    title: `A gradient between ${coords} and itself is not copied`,
    why: 'Readers paint nothing, or the last colour everywhere (8.7.4.5.3).',
    bytes: makeSmallPage({
      content: '/Sh sh',
      resources: '/Shading << /Sh 6 0 R >>',
      more: [
        `<< /ShadingType ${kind} /ColorSpace /DeviceRGB /Coords ${coords} /Extend [true true] ` +
          '/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      ],
    }),
    outcome: 'unlike',
  })),
  ...['foo', '16#1 mul', '1e0 mul', 'pop pop 1', '0.2', '0.5 gt', '1 index', 'dup -1 copy', '4 mul cvi not'].map(
    (code): AmbiguousFile => ({
      title: `A colour that is calculated by ${code} is not copied`,
      why: 'No standard knows such words, or the stack has too few, too many or others (7.10.5).',
      bytes: withTint(streamOf(`{${code}}`, '/FunctionType 4 /Domain [0 1] /Range [0 1]')),
      outcome: 'unlike',
    }),
  ),
  {
    title: 'A colour that is calculated by what the standard knows is painted',
    why: 'Many programs mix inks so (7.10.5).',
    bytes: withTint(
      streamOf('{1.0 exch sub % inverse\n dup 0 lt {pop 0} if}', '/FunctionType 4 /Domain [0 1] /Range [0 1]'),
    ),
  },
  {
    title: 'An ink whose function tells fewer figures than its colours have is not copied',
    why: 'Some readers take what is missing for nothing, some do not paint (8.6.6.4).',
    bytes: makeSmallPage({
      content: '/S cs 1 scn 20 20 60 160 re f',
      resources: '/ColorSpace << /S [/Separation /X /DeviceRGB 6 0 R] >>',
      more: ['<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>'],
    }),
    outcome: 'unlike',
  },
  ...[
    '/ColorSpace /DeviceGray /Coords [0 0 200 0]',
    '/ColorSpace /DeviceGray /Coords [0 0] /Function 7 0 R',
    '/ColorSpace /DeviceGray /Coords [0 0 200 0] /Domain [1 0] /Function 7 0 R',
    '/ColorSpace /DeviceRGB /Coords [0 0 200 0] /Function [7 0 R]',
    '/ColorSpace [/Indexed /DeviceRGB 1 <FF000000FF00>] /Coords [0 0 200 0] /Function 7 0 R',
  ].map((entries): AmbiguousFile => ({
    title: `A gradient with the entries ${entries} is not copied`,
    why: 'Something that must be there is not, or not so, and readers make up what they like (8.7.4.5.3).',
    bytes: makeSmallPage({
      content: '/Sh sh',
      resources: '/Shading << /Sh 6 0 R >>',
      more: [`<< /ShadingType 2 ${entries} >>`, '<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>'],
    }),
    outcome: 'unlike',
  })),
  ...['', '/Group << /S /Transparency >>'].map((group): AmbiguousFile => ({
    title: `A mask by luminosity of a form ${group === '' ? 'that is no group' : 'whose group has no space of colours'} is not copied`,
    why: 'Some readers take the luminosity of what is drawn, some take nothing (11.5.3).',
    bytes: makeSmallPage({
      content: '/G1 gs 0 g 20 20 160 160 re f',
      resources: '/ExtGState << /G1 << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
      more: [formOf('1 g 60 60 80 80 re f', group)],
    }),
    outcome: 'unlike',
  })),
  {
    title: 'An image with parameters under the short name DP is not copied',
    why: 'It is a name for images among operators, which some readers heed everywhere (8.9.7).',
    bytes: makeSmallPage({
      content: 'q 160 0 0 160 20 20 cm /Im Do Q',
      resources: '/XObject << /Im 6 0 R >>',
      more: [
        streamOf(
          '\0\xff\xff\0',
          '/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray /DP << /Predictor 2 /Columns 2 >>',
        ),
      ],
    }),
    outcome: 'unlike',
  },
]
