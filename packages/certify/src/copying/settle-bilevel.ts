import { PdfArray, PdfBool, PdfDict, PdfNull, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { checkJbig2 } from '../image/check-jbig2.ts'
import { isSoundFax } from '../image/read-fax.ts'
import { unpackImage } from '../image/unpack-image.ts'
import { nameOf, numberOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { countComponents } from './count-components.ts'

/** Of a row, where nothing is said (ISO 32000-2 table 11). */
const USUAL_COLUMNS = 1728
const MAX_GLOBAL_BYTES = 16 << 20

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Says of an image by a codec of black and white that it is one: readers take the depth and the colours that are said, or those of the codec
 * (ISO 32000-2 sections 7.4.6 and 7.4.7). Masks stay as they are.
 * @throws Refusal `unreadable` where it cannot be one, its rows are not as long as the image is wide, or its data are not whole.
 */
export function settleBilevel(store: ObjectStore, image: PdfStream, codec: string): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const parms = settleParameters(image, resolve)
  const data = unpackImage(store, image)
  const [width = 0, height = 0] = ['Width', 'Height'].map((key) => readNumber(image.get(key), resolve))
  if (data === undefined) refuse('that cannot be unpacked')
  if (codec === 'CCITTFaxDecode') settleFax(data, parms, { width, height }, resolve)
  else checkJbig2(data, readGlobals(store, parms), { width, height })
  const stencil = resolve(image.get('ImageMask'))
  if (stencil instanceof PdfBool && stencil.value) return
  if (image.get('ColorSpace') === undefined) image.set('ColorSpace', nameOf('DeviceGray'))
  if (countComponents(resolve(image.get('ColorSpace')), resolve) !== 1) disagree('in more than one component')
  if (readNumber(image.get('BitsPerComponent'), resolve) !== 1) image.set('BitsPerComponent', numberOf(1))
}

/** As many as filters: where one is named with a list, or several with one, readers take them or pass over them. */
function settleParameters(image: PdfStream, resolve: Resolve): PdfDict {
  const entry = resolve(image.get('DecodeParms'))
  const filter = resolve(image.get('Filter'))
  const count = filter instanceof PdfArray ? filter.length : 1
  const listed = entry instanceof PdfArray ? [...entry].map(resolve) : [entry]
  if (entry instanceof PdfDict && count > 1) disagree('with the parameters of one of its filters')
  const own = listed[count - 1]
  const copy = new PdfDict()
  if (own instanceof PdfDict) for (const [key, value] of own) copy.set(key.value, value)
  if (entry === undefined || entry === null) return copy
  image.set(
    'DecodeParms',
    filter instanceof PdfArray
      ? new PdfArray([...listed.slice(0, count - 1).map((one) => one ?? PdfNull.instance), copy])
      : copy,
  )
  return copy
}

/** What is said besides of its rows is made what they are; of marks at their ends their data tell. */
function settleFax(
  data: Uint8Array,
  parms: PdfDict,
  { width, height }: { width: number; height: number },
  resolve: Resolve,
): void {
  const read = (key: string, usual: number): number =>
    parms.has(key) ? (readNumber(parms.get(key), resolve) ?? Number.NaN) : usual
  const [k, columns] = [read('K', 0), read('Columns', USUAL_COLUMNS)]
  if (columns !== width) disagree('with rows of another length than it is wide')
  const flags = ['EncodedByteAlign', 'BlackIs1'].map((key) => resolve(parms.get(key)))
  const areFlags = flags.every((flag) => flag === undefined || flag instanceof PdfBool)
  if (!Number.isInteger(k) || !areFlags) disagree('with odd parameters')
  const isAligned = flags[0] instanceof PdfBool && flags[0].value
  if (!isSoundFax(data, { k, columns, rows: height, isAligned })) refuse('with a fault within its data')
  if (parms.has('Rows') && readNumber(parms.get('Rows'), resolve) !== height) parms.set('Rows', numberOf(height))
  if (k < 0) parms.delete('EndOfLine')
}

function readGlobals(store: ObjectStore, parms: PdfDict): Uint8Array | undefined {
  const globals = resolveObject(store, parms.get('JBIG2Globals'))
  if (globals === undefined || globals instanceof PdfNull) return undefined
  const data = globals instanceof PdfStream ? decodeContent(store, globals, MAX_GLOBAL_BYTES) : undefined
  return data ?? refuse('that shares what cannot be read')
}

function refuse(kind: string): never {
  throw new Refusal('unreadable', `an image of black and white ${kind}`)
}

function disagree(kind: string): never {
  throw new Disagreement(`an image of black and white ${kind}`)
}
