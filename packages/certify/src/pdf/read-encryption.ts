import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core'
import { resolveIn } from './resolve-in.ts'

/** How the parser reads numbers and lists of a dictionary, before it is made to read those below otherwise. */
const readNumberPlainly = Object.getOwnPropertyDescriptor(PdfDict.prototype, 'getNumber')?.value as (
  this: PdfDict,
  ...args: Parameters<PdfDict['getNumber']>
) => PdfNumber | undefined

const readArrayPlainly = Object.getOwnPropertyDescriptor(PdfDict.prototype, 'getArray')?.value as (
  this: PdfDict,
  ...args: Parameters<PdfDict['getArray']>
) => PdfArray | undefined

let isInstalled = false

/**
 * Makes the parser read how files are encrypted as other readers do: permissions that were written as an unsigned number,
 * keys whose length only the crypt filter tells, and files without an identifier, which is then of no length. It would derive
 * another key, or none, and ask for a password that nobody set.
 * A process that parses untrusted files calls this once.
 */
export function readEncryptionLeniently(): void {
  if (isInstalled) return
  isInstalled = true
  PdfDict.prototype.getNumber = function getNumber(this: PdfDict, key, resolve): PdfNumber | undefined {
    const found = readNumberPlainly.call(this, key, resolve)
    if ((key !== 'P' && key !== 'Length') || this.getName('Filter')?.value !== 'Standard') return found
    if (key === 'P') return found === undefined ? found : PdfNumber.of(found.value | 0)
    return found ?? readFilterLength(this)
  }
  PdfDict.prototype.getArray = function getArray(this: PdfDict, key, resolve): PdfArray | undefined {
    const found = readArrayPlainly.call(this, key, resolve)
    if (key !== 'ID' || !this.has('Encrypt')) return found
    const hasNone = found === undefined ? !this.has('ID') : found.length === 0
    return hasNone ? new PdfArray([PdfString.fromBytes(new Uint8Array())]) : found
  }
}

/** Of version 4 the key has the length that its crypt filter names, in bytes or bits, else 128 bits. */
function readFilterLength(encryption: PdfDict): PdfNumber | undefined {
  if (encryption.getNumber('V')?.value !== 4) return undefined
  const filter = encryption.getDict('CF')?.getDict(encryption.getName('StmF')?.value ?? 'StdCF')
  const length = filter?.getNumber('Length')?.value ?? 128
  return PdfNumber.of(length < 40 ? length * 8 : length)
}

/** What crypt filters leave as it is (ISO 32000-2 section 7.6.6). */
const IDENTITY = 'Identity'

/**
 * Whether a file that does not open with the empty password is encrypted in its attachments alone: readers open it without asking, and
 * no copy has attachments.
 */
export function hasPlainPages(pdf: PDF): boolean {
  const resolve = resolveIn(pdf)
  const encryption = resolve(readTrailer(pdf)?.get('Encrypt'))
  if (!(encryption instanceof PdfDict) || encryption.getName('Filter')?.value !== 'Standard') return false
  const version = resolve(encryption.get('V'))
  const filters = resolve(encryption.get('CF'))
  // who redefines it is read in two ways
  const isRedefined = filters instanceof PdfDict && filters.has(IDENTITY)
  if (!(version instanceof PdfNumber) || version.value < 4 || isRedefined) return false
  return ['StmF', 'StrF'].every((key) => {
    const filter = resolve(encryption.get(key))
    return filter instanceof PdfName && filter.value === IDENTITY
  })
}

/** The parser keeps it to itself. */
function readTrailer(pdf: PDF): PdfDict | undefined {
  const context: unknown = Reflect.get(pdf, 'ctx')
  const info: unknown = context instanceof Object ? Reflect.get(context, 'info') : undefined
  const trailer: unknown = info instanceof Object ? Reflect.get(info, 'trailer') : undefined
  return trailer instanceof PdfDict ? trailer : undefined
}
