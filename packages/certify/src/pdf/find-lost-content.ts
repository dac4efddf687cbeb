import { PdfArray, PdfRef, PdfStream } from '@libpdf/core'
import type { LoadedPdf } from './load-pdf.ts'
import type { PdfObject } from './object-store.ts'

/**
 * The first content of a page that is in the file and that the parser does not find: the table of objects points elsewhere, or
 * its end is misspelt. Some readers search for it, the reviewer's shows a blank page. What is not in the file at all is blank for
 * every reader.
 */
export function findLostContent({ pdf, pages }: LoadedPdf, bytes: Uint8Array): PdfRef | undefined {
  const isLost = (object: PdfObject | undefined, levels = 0): PdfRef | undefined => {
    const target = object instanceof PdfRef ? pdf.getObject(object) : object
    if (target instanceof PdfStream || levels > 8) return undefined
    if (target instanceof PdfArray) {
      for (const item of target) {
        const lost = isLost(item, levels + 1)
        if (lost !== undefined) return lost
      }
      return undefined
    }
    if (target instanceof PdfRef) return isLost(target, levels + 1)
    if (!(object instanceof PdfRef)) return undefined
    return target !== null || isInFile(bytes, object) ? object : undefined
  }
  for (const { dict } of pages) {
    const lost = isLost(dict.get('Contents'))
    if (lost !== undefined) return lost
  }
  return undefined
}

function isInFile(bytes: Uint8Array, { objectNumber, generation }: PdfRef): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = `${objectNumber} ${generation} obj`
  for (let at = whole.indexOf(head); at >= 0; at = whole.indexOf(head, at + 1)) {
    const before = whole[at - 1]
    if (before === undefined || before < 0x30 || before > 0x39) return true
  }
  return false
}
