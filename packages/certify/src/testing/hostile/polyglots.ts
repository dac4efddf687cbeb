import { makeTwoTables } from '../behind-lead.ts'
import { makeOnePage } from '../odd-pdfs.ts'
import { type HostileFile } from './hostile-file.ts'

/** Files that are two things at once, and files that are not what they are called. */

const PAGE = '<!doctype html><script>evil()</script>'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const pdf = (): string => makeOnePage().toString('latin1')

/** A comment right behind the header holds another file. */
const behindHeader = (text: string): Buffer => bytes(pdf().replace('%PDF-1.7\n', `%PDF-1.7\n%${text}\n`))

const WRONG_TYPE = { refused: ['unsupported_type'] } as const
const NOT_AT_START = { refused: ['header_not_at_start', 'unsupported_type'] } as const
const UNREADABLE = { refused: ['unreadable', 'truncated'] } as const

export const POLYGLOTS: readonly HostileFile[] = [
  { name: 'web page behind the header', make: () => behindHeader(PAGE), fate: { taken: 1, gone: ['evil'] } },
  { name: 'web page before the header', make: () => bytes(`${PAGE}\n${pdf()}`), fate: NOT_AT_START },
  {
    name: 'web page behind a mark and blanks',
    make: () => bytes(`\xef\xbb\xbf\n ${PAGE}\n${pdf()}`),
    fate: NOT_AT_START,
  },
  { name: 'film of boxes whose second is a PDF', make: () => bytes(`\0\0\0 ${pdf()}`), fate: NOT_AT_START },
  { name: 'two tables, by where places count from', make: makeTwoTables, fate: { refused: ['unreadable'] } },
  { name: 'script before the header', make: () => bytes(`GIF89a=1;/*\n${pdf()}*/evil()`), fate: NOT_AT_START },
  {
    name: 'archive behind the end',
    make: () => bytes(`${pdf()}PK\x03\x04evil${'\0'.repeat(40)}PK\x05\x06${'\0'.repeat(18)}`),
    fate: { taken: 1, gone: ['evil'] },
  },
  {
    name: 'archive of 20 kB behind the end',
    make: () => bytes(`${pdf()}PK\x03\x04evil${'\0'.repeat(20_000)}PK\x05\x06${'\0'.repeat(18)}`),
    fate: { refused: ['truncated'] },
  },
  { name: 'archive before the header', make: () => bytes(`PK\x03\x04evil\n${pdf()}`), fate: NOT_AT_START },
  {
    name: 'several ends',
    make: () => bytes(`${pdf()}%%EOF\n%%EOF\nevil\n%%EOF\n`),
    fate: { taken: 1, gone: ['evil'] },
  },
  {
    name: 'page no reference leads to',
    make: () => makeOnePage({ more: ['<< /Type /Page /Note (evil) /Parent 2 0 R >>'] }),
    fate: { taken: 1, gone: ['evil'] },
  },
  { name: 'web page called PDF', make: () => bytes(PAGE), fate: WRONG_TYPE },
  {
    name: 'drawing with a script called PDF',
    make: () => bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="evil()"/>'),
    fate: WRONG_TYPE,
  },
  { name: 'program called PDF', make: () => bytes(`MZ\x90\0${'\0'.repeat(500)}`), fate: WRONG_TYPE },
  { name: 'ELF program called PDF', make: () => bytes(`\x7fELF\x02\x01\x01${'\0'.repeat(500)}`), fate: WRONG_TYPE },
  { name: 'web page under a PDF header', make: () => bytes(`%PDF-1.7\n${PAGE}`), fate: UNREADABLE },
  {
    name: 'XML forms data',
    make: () => bytes('<?xml version="1.0"?><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><pdf/></xdp:xdp>'),
    fate: WRONG_TYPE,
  },
  { name: 'PostScript', make: () => bytes('%!PS-Adobe-3.0\n(evil) run\n'), fate: WRONG_TYPE },
]
