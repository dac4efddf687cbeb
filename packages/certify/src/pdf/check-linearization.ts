import type { SourcePage } from './list-pages.ts'
import { readNameEscapes } from './read-name-escapes.ts'

/** The dictionary stands in the first object, and is short. */
const SEARCHED_BYTES = 4096

/**
 * Some readers believe what the first object of a file says that was written for reading over a network: how many pages there
 * are, and which comes first (ISO 32000-2 annex F). They do so only where it also names the length of the file.
 * @param bytes From the header on.
 * @param lead How many bytes stand before that; some readers count them to the length of the file.
 * @returns why readers would not agree on the pages, undefined when they do.
 */
export function findLinearizationFault(
  bytes: Uint8Array,
  pages: readonly SourcePage[],
  lead: number,
): string | undefined {
  const dictionary = readFirstObject(bytes)
  if (!dictionary.includes('Linearized')) return undefined
  const readOnly = (key: string): number | undefined => {
    const found = [...dictionary.matchAll(new RegExp(`/${key}(?![A-Za-z])\\s*([^\\s/<>[\\]()%]*)`, 'g'))]
    const [, text] = found.length === 1 ? found[0]! : []
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
  }
  const length = readOnly('L')
  if (length !== undefined && length !== bytes.length && length !== bytes.length + lead) return undefined
  const first = dictionary.includes('/P') ? readOnly('P') : 0
  const page = first === undefined ? undefined : pages[first]
  const isSame = length !== undefined && readOnly('N') === pages.length && readOnly('O') === page?.ref?.objectNumber
  return isSame && page !== undefined ? undefined : 'the first object tells other pages than the page tree'
}

/** Without comments before it, with escapes in names read. */
function readFirstObject(bytes: Uint8Array): string {
  let at = 0
  while (at < bytes.length && (bytes[at]! <= 0x20 || bytes[at] === 0x25)) {
    if (bytes[at] === 0x25) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
    else at++
  }
  const text = Buffer.from(bytes.slice(at, at + SEARCHED_BYTES)).toString('latin1')
  const [object = ''] = text.split(/endobj|stream/)
  return readNameEscapes(object)
}
