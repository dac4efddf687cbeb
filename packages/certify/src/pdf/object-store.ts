import { PdfArray, PdfDict, PdfName, PdfNull, PdfNumber, PdfRef, PdfStream, PdfString } from '@libpdf/core'
import { deflateSync } from 'node:zlib'

export type PdfObject = Parameters<PdfDict['set']>[1]

/** The objects of a PDF that is being put together. Numbers count from 1 in the order of registration. */
export interface ObjectStore {
  /** Object n stands at index n; index 0 is unused, and the first may stand in a file already. */
  readonly objects: PdfObject[]
}

/** @param standing So many objects, the first, stand in a file already and are not in the store. */
export function createObjectStore(standing = 0): ObjectStore {
  const objects: PdfObject[] = [PdfNull.instance]
  objects.length = standing + 1
  return { objects }
}

/** Gives the object its number. The object may still be changed until the file is written. */
export function registerObject(store: ObjectStore, object: PdfObject): PdfRef {
  store.objects.push(object)
  return PdfRef.of(store.objects.length - 1, 0)
}

/** The object itself, also when it is given as a reference. */
export function resolveObject(store: ObjectStore, object: PdfObject | undefined): PdfObject | undefined {
  return object instanceof PdfRef ? store.objects[object.objectNumber] : object
}

export const nameOf = (name: string): PdfName => PdfName.of(name)
export const numberOf = (value: number): PdfNumber => PdfNumber.of(value)
export const textOf = (text: string): PdfString => PdfString.fromString(text)
export const numbersOf = (values: readonly number[]): PdfArray =>
  new PdfArray(values.map((value) => PdfNumber.of(value)))

/** Setting up deflate costs more time than short streams, such as stamps, are worth. */
const MIN_DEFLATED_BYTES = 700

/** A fraction of the time that zlib's own choice takes, for a few hundredths of the size. */
export const DEFLATE_LEVEL = 4

/** Words and numbers repeat themselves nearby: a small window, a quarter of zlib's memory, leaves them no larger. */
const SMALL = { bytes: 65_536, options: { windowBits: 13, memLevel: 6 } }

/** A deflated stream; short ones are left as they are. */
export function makeStream(entries: Record<string, PdfObject>, data: Uint8Array | string): PdfStream {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  if (bytes.length < MIN_DEFLATED_BYTES) return PdfStream.fromDict(entries, bytes)
  const options = { level: DEFLATE_LEVEL, ...(bytes.length < SMALL.bytes && SMALL.options) }
  return PdfStream.fromDict({ ...entries, Filter: nameOf('FlateDecode') }, deflateSync(bytes, options))
}

/** Reads an array of numbers, each of which may be a reference. Undefined when it is anything else. */
export function readNumbers(
  object: PdfObject | undefined,
  resolve: (object: PdfObject | undefined) => PdfObject | null | undefined,
): number[] | undefined {
  const array = resolve(object)
  if (!(array instanceof PdfArray)) return undefined
  const numbers: number[] = []
  for (const item of array) {
    const number = resolve(item)
    if (!(number instanceof PdfNumber) || !Number.isFinite(number.value)) return undefined
    numbers.push(number.value)
  }
  return numbers
}

/** Reads one number that may be a reference. */
export function readNumber(
  object: PdfObject | undefined,
  resolve: (object: PdfObject | undefined) => PdfObject | null | undefined,
): number | undefined {
  const number = resolve(object)
  return number instanceof PdfNumber && Number.isFinite(number.value) ? number.value : undefined
}
