import { PdfArray, PdfName } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/** Short names that only inline images may use (ISO 32000-2 table 92); some programs write them everywhere. */
const FULL_NAMES: Record<string, string> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
}

/** The value of `/Filter` with every name in full, which all readers know. Other objects are returned as they are. */
export function spellFilters(filter: PdfObject): PdfObject {
  if (filter instanceof PdfArray) {
    return [...filter].some(isShort) ? new PdfArray([...filter].map(spellFilters)) : filter
  }
  return isShort(filter) ? PdfName.of(FULL_NAMES[(filter as PdfName).value]!) : filter
}

function isShort(object: PdfObject): boolean {
  return object instanceof PdfName && Object.hasOwn(FULL_NAMES, object.value)
}
