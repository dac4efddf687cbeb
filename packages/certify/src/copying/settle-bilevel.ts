import { PdfArray, PdfBool, PdfDict, type PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { nameOf, numberOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { countComponents } from './count-components.ts'

/** Of a row, where nothing is said (ISO 32000-2 table 11). */
const USUAL_COLUMNS = 1728

/**
 * Says of an image by a codec of black and white that it is one: readers take the depth and the colours that are said, or those of the codec
 * (ISO 32000-2 sections 7.4.6 and 7.4.7). Masks stay as they are.
 * @throws Refusal `unreadable` where it cannot be one, or its rows are not as long as the image is wide.
 */
export function settleBilevel(store: ObjectStore, image: PdfStream, codec: string): void {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const parms = resolve(image.get('DecodeParms'))
  const own = parms instanceof PdfArray ? resolve(parms.at(parms.length - 1)) : parms
  const columns = own instanceof PdfDict ? readNumber(own.get('Columns'), resolve) : undefined
  if (codec === 'CCITTFaxDecode' && (columns ?? USUAL_COLUMNS) !== readNumber(image.get('Width'), resolve))
    throw new Refusal('unreadable', 'a fax with rows of another length than it is wide')
  const stencil = resolve(image.get('ImageMask'))
  if (stencil instanceof PdfBool && stencil.value) return
  if (image.get('ColorSpace') === undefined) image.set('ColorSpace', nameOf('DeviceGray'))
  if (countComponents(resolve(image.get('ColorSpace')), resolve) !== 1)
    throw new Refusal('unreadable', 'black and white in more than one component')
  if (readNumber(image.get('BitsPerComponent'), resolve) !== 1) image.set('BitsPerComponent', numberOf(1))
}
