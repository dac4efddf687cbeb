import { deflateSync } from 'node:zlib'
import { makeOnePage } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { hostile, type HostileFile, streamOf } from './hostile-file.ts'
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
  hostile('object stream, 1 MB to 1 GB', BOMB, () => inObjectStream(flate(1024), '/Filter /FlateDecode')),
  hostile('object stream, 4 MB to 4 GB', BOMB, () => inObjectStream(flate(4096), '/Filter /FlateDecode')),
  hostile('object stream, deflated twice', BOMB, () =>
    inObjectStream(flateTwice(4096), '/Filter [/FlateDecode /FlateDecode]'),
  ),
  hostile('object stream, LZW', BOMB, () => inObjectStream(text(lzwZeros(140)), '/Filter /LZWDecode')),
  hostile('object stream, ASCII85 around deflate', BOMB, () =>
    inObjectStream(encodeAscii85(deflateZeros(1024)), '/Filter [/ASCII85Decode /FlateDecode]'),
  ),
  hostile('object stream, hexadecimal around deflate', BOMB, () =>
    inObjectStream(`${deflateZeros(1024).toString('hex')}>`, '/Filter [/ASCIIHexDecode /FlateDecode]'),
  ),
  hostile('object stream, run lengths', BOMB, () =>
    inObjectStream(text(runLengthZeros(256)), '/Filter /RunLengthDecode'),
  ),
  hostile('object stream, predictor over giant rows', { refused: ['unreadable', 'truncated'] }, () =>
    inObjectStream(
      flate(1),
      '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 32 /BitsPerComponent 16 >>',
    ),
  ),
  hostile('cross-reference stream', BOMB, inXrefStream),
  hostile('page content', BOMB, () => inContent(flate(1024), '/Filter /FlateDecode')),
  hostile('page content, deflated twice', BOMB, () =>
    inContent(flateTwice(4096), '/Filter [/FlateDecode /FlateDecode]'),
  ),
  hostile('page content, LZW', BOMB, () => inContent(text(lzwZeros(140)), '/Filter /LZWDecode')),
  hostile('page content, run lengths', BOMB, () => inContent(text(runLengthZeros(512)), '/Filter /RunLengthDecode')),
  hostile('page content in two streams', BOMB, inSplitContent),
  hostile('metadata of the document', { taken: 1, gone: ['/Metadata'] }, () =>
    makeOnePage({
      catalog: '/Metadata 6 0 R',
      more: [streamOf(flate(1024), '/Type /Metadata /Subtype /XML /Filter /FlateDecode')],
    }),
  ),
  hostile('ToUnicode of a font', BOMB, inFont),
  hostile('ToUnicode of a form field’s font', BOMB, inFieldFont),
  hostile('image of one pixel with a gigabyte of data', BOMB, () =>
    inImage(flate(1024), '/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode'),
  ),
  hostile('image in a PDF of 60,000 x 60,000 pixels', { refused: ['image_too_large'] }, () =>
    inImage(flate(16), '/Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode'),
  ),
]
