/** Instead of a table: a cross-reference stream that says some objects lie in an object stream. */
export interface RawXrefStream {
  root: number
  /** Numbers of objects inside the container, in order. */
  compressed: number[]
  container: number
  /** Bytes of a place; 4 when absent. */
  placeBytes?: number
}

/**
 * Writes a PDF from the text of its objects, as faulty as the caller wants it. Object n is `objects[n - 1]`; an empty text
 * is left out. The first object is the catalog.
 * @param options `first` is the number of the object that is written before all others.
 */
export function writeRawPdf(
  objects: readonly string[],
  options: { trailer?: string; version?: string; xrefStream?: RawXrefStream; startxref?: number; first?: number } = {},
): Buffer {
  let file = `%PDF-${options.version ?? '1.7'}\n%\xe2\xe3\xcf\xd3\n`
  const offsets: number[] = []
  const { first = 1 } = options
  for (const number of [first, ...objects.keys().map((i) => i + 1)]) {
    const object = objects[number - 1]
    if (offsets[number - 1] !== undefined) continue
    offsets[number - 1] = file.length
    if (object) file += `${number} 0 obj\n${object}\nendobj\n`
  }
  const start = options.startxref ?? file.length
  if (options.xrefStream !== undefined) file += writeXrefStream(offsets, options.xrefStream, file.length)
  else {
    file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
    for (const [i, offset] of offsets.entries()) {
      file += objects[i] === '' ? '0000000000 00001 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
    }
    file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${options.trailer ?? ''} >>\n`
  }
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, 'latin1')
}

function writeXrefStream(offsets: readonly number[], xref: RawXrefStream, at: number): string {
  const size = Math.max(offsets.length, ...xref.compressed) + 2
  const number = size - 1
  const { placeBytes = 4 } = xref
  const record = (kind: number, second: number, third: number): string =>
    String.fromCharCode(kind) +
    Buffer.from(second.toString(16).padStart(2 * placeBytes, '0'), 'hex').toString('latin1') +
    String.fromCharCode(third)
  let data = record(0, 0, 0)
  for (let i = 1; i < size; i++) {
    const index = xref.compressed.indexOf(i)
    if (i === number) data += record(1, at, 0)
    else if (index >= 0) data += record(2, xref.container, index)
    else data += offsets[i - 1] === undefined ? record(0, 0, 0) : record(1, offsets[i - 1]!, 0)
  }
  const dictionary = `/Type /XRef /Size ${size} /W [1 ${placeBytes} 1] /Root ${xref.root} 0 R /Length ${data.length}`
  return `${number} 0 obj\n<< ${dictionary} >>\nstream\n${data}\nendstream\nendobj\n`
}
