import { deflateSync } from 'node:zlib'
import { makeOnePage } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { type HostileFile, streamOf } from './hostile-file.ts'
import { deflateZeros, encodeAscii85, lzwZeros, runLengthZeros } from './inflating-data.ts'

/** PDFs of about a megabyte that unpack to a gigabyte. */

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** The catalog lies in an object stream, which every reader must therefore unpack. */
function inObjectStream(data: string, entries: string): Buffer {
  return writeRawPdf(['', streamOf(data, `/Type /ObjStm /N 2 /First 10 ${entries}`)], {
    xrefStream: { root: 3, compressed: [3, 4], container: 2 },
  })
}

/** The cross-reference stream itself is the bomb. */
function inXrefStream(): Buffer {
  const start = makeOnePage().toString('latin1')
  const body = start.slice(0, start.lastIndexOf('xref\n0 '))
  const bomb = streamOf(
    text(deflateZeros(1024)),
    '/Type /XRef /Size 100000000 /W [1 4 1] /Root 1 0 R /Filter /FlateDecode',
  )
  return Buffer.from(`${body}6 0 obj\n${bomb}\nendobj\nstartxref\n${body.length}\n%%EOF\n`, 'latin1')
}

function inFont(): Buffer {
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>`
  return makeOnePage({
    page: '/Resources << /Font << /F1 6 0 R >> >>',
    more: [font, streamOf(text(deflateZeros(1024)), '/Filter /FlateDecode')],
  })
}

/** A field without appearance, so that the copier wants to draw its text, with a font that unpacks without end. */
function inFieldFont(): Buffer {
  return makeOnePage({
    catalog:
      '/AcroForm << /NeedAppearances true /Fields [8 0 R] /DA (/Helv 12 Tf) /DR << /Font << /Helv 6 0 R >> >> >>',
    page: '/Annots [8 0 R]',
    more: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>',
      streamOf(text(deflateZeros(1024)), '/Filter /FlateDecode'),
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (x) /DA (/Helv 12 Tf) /F 4 /Rect [60 600 300 620] /P 3 0 R >>',
    ],
  })
}

const inImage = (data: string, entries: string): Buffer =>
  makeOnePage({
    content: 'q 500 0 0 500 40 200 cm /Im Do Q',
    page: '/Resources << /XObject << /Im 6 0 R >> >>',
    more: [streamOf(data, `/Type /XObject /Subtype /Image ${entries}`)],
  })

function inContent(data: string, entries: string): Buffer {
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    streamOf(data, entries),
  ])
}

/** Two streams, which must be joined and therefore unpacked. */
function inSplitContent(): Buffer {
  const bomb = streamOf(text(deflateZeros(1024)), '/Filter /FlateDecode')
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [4 0 R 5 0 R] >>',
    bomb,
    bomb,
  ])
}

const flate = (mebibytes: number): string => text(deflateZeros(mebibytes))
const flateTwice = (mebibytes: number): string => text(deflateSync(deflateZeros(mebibytes), { level: 9 }))
const BOMB = { refused: ['decompression_bomb'] } as const

export const BOMBS: readonly HostileFile[] = [
  {
    name: 'object stream, 1 MB to 1 GB',
    make: () => inObjectStream(flate(1024), '/Filter /FlateDecode'),
    fate: BOMB,
  },
  {
    name: 'object stream, 4 MB to 4 GB',
    make: () => inObjectStream(flate(4096), '/Filter /FlateDecode'),
    fate: BOMB,
  },
  {
    name: 'object stream, deflated twice',
    make: () => inObjectStream(flateTwice(4096), '/Filter [/FlateDecode /FlateDecode]'),
    fate: BOMB,
  },
  {
    name: 'object stream, LZW',
    make: () => inObjectStream(text(lzwZeros(140)), '/Filter /LZWDecode'),
    fate: BOMB,
  },
  {
    name: 'object stream, ASCII85 around deflate',
    make: () => inObjectStream(encodeAscii85(deflateZeros(1024)), '/Filter [/ASCII85Decode /FlateDecode]'),
    fate: BOMB,
  },
  {
    name: 'object stream, hexadecimal around deflate',
    make: () => inObjectStream(`${deflateZeros(1024).toString('hex')}>`, '/Filter [/ASCIIHexDecode /FlateDecode]'),
    fate: BOMB,
  },
  {
    name: 'object stream, run lengths',
    make: () => inObjectStream(text(runLengthZeros(256)), '/Filter /RunLengthDecode'),
    fate: BOMB,
  },
  {
    name: 'object stream, predictor over giant rows',
    make: () =>
      inObjectStream(
        flate(1),
        '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 32 /BitsPerComponent 16 >>',
      ),
    fate: { refused: ['unreadable', 'truncated'] },
  },
  { name: 'cross-reference stream', make: inXrefStream, fate: BOMB },
  { name: 'page content', make: () => inContent(flate(1024), '/Filter /FlateDecode'), fate: BOMB },
  {
    name: 'page content, deflated twice',
    make: () => inContent(flateTwice(4096), '/Filter [/FlateDecode /FlateDecode]'),
    fate: BOMB,
  },
  { name: 'page content, LZW', make: () => inContent(text(lzwZeros(140)), '/Filter /LZWDecode'), fate: BOMB },
  {
    name: 'page content, run lengths',
    make: () => inContent(text(runLengthZeros(512)), '/Filter /RunLengthDecode'),
    fate: BOMB,
  },
  { name: 'page content in two streams', make: inSplitContent, fate: BOMB },
  {
    name: 'metadata of the document',
    make: () =>
      makeOnePage({
        catalog: '/Metadata 6 0 R',
        more: [streamOf(flate(1024), '/Type /Metadata /Subtype /XML /Filter /FlateDecode')],
      }),
    fate: { taken: 1, gone: ['/Metadata'] },
  },
  { name: 'ToUnicode of a font', make: inFont, fate: BOMB },
  { name: 'ToUnicode of a form field’s font', make: inFieldFont, fate: BOMB },
  {
    name: 'image of one pixel with a gigabyte of data',
    make: () =>
      inImage(flate(1024), '/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode'),
    fate: BOMB,
  },
  {
    name: 'image in a PDF of 60,000 x 60,000 pixels',
    make: () =>
      inImage(flate(16), '/Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode'),
    fate: { refused: ['image_too_large'] },
  },
]
