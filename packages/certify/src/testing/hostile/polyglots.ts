import { makeTwoTables } from '../behind-lead.ts'
import { makeOnePage } from '../odd-pdfs.ts'
import { hostile, type HostileFile } from './hostile-file.ts'

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
  hostile('web page behind the header', { taken: 1, gone: ['evil'] }, () => behindHeader(PAGE)),
  hostile('web page before the header', NOT_AT_START, () => bytes(`${PAGE}\n${pdf()}`)),
  hostile('web page behind a mark and blanks', NOT_AT_START, () => bytes(`\xef\xbb\xbf\n ${PAGE}\n${pdf()}`)),
  hostile('film of boxes whose second is a PDF', NOT_AT_START, () => bytes(`\0\0\0 ${pdf()}`)),
  hostile('two tables, by where places count from', { refused: ['ambiguous'] }, makeTwoTables),
  hostile('script before the header', NOT_AT_START, () => bytes(`GIF89a=1;/*\n${pdf()}*/evil()`)),
  hostile('archive behind the end', { taken: 1, gone: ['evil'] }, () =>
    bytes(`${pdf()}PK\x03\x04evil${'\0'.repeat(40)}PK\x05\x06${'\0'.repeat(18)}`),
  ),
  hostile('archive of 20 kB behind the end', { refused: ['truncated'] }, () =>
    bytes(`${pdf()}PK\x03\x04evil${'\0'.repeat(20_000)}PK\x05\x06${'\0'.repeat(18)}`),
  ),
  hostile('archive before the header', NOT_AT_START, () => bytes(`PK\x03\x04evil\n${pdf()}`)),
  hostile('several ends', { taken: 1, gone: ['evil'] }, () => bytes(`${pdf()}%%EOF\n%%EOF\nevil\n%%EOF\n`)),
  hostile('page no reference leads to', { taken: 1, gone: ['evil'] }, () =>
    makeOnePage({ more: ['<< /Type /Page /Note (evil) /Parent 2 0 R >>'] }),
  ),
  hostile('web page called PDF', WRONG_TYPE, () => bytes(PAGE)),
  hostile('drawing with a script called PDF', WRONG_TYPE, () =>
    bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="evil()"/>'),
  ),
  hostile('program called PDF', WRONG_TYPE, () => bytes(`MZ\x90\0${'\0'.repeat(500)}`)),
  hostile('ELF program called PDF', WRONG_TYPE, () => bytes(`\x7fELF\x02\x01\x01${'\0'.repeat(500)}`)),
  hostile('web page under a PDF header', UNREADABLE, () => bytes(`%PDF-1.7\n${PAGE}`)),
  hostile('XML forms data', WRONG_TYPE, () =>
    bytes('<?xml version="1.0"?><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><pdf/></xdp:xdp>'),
  ),
  hostile('PostScript', WRONG_TYPE, () => bytes('%!PS-Adobe-3.0\n(evil) run\n')),
]
