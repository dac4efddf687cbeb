/** Tag 0x0112 in the first directory of a TIFF structure (Exif 2.32 section 4.6). @returns 1 to 8; 1 when none is given. */
export function readOrientation(tiffBytes: Uint8Array): number {
  if (tiffBytes.length < 8) return 1
  const tiff = new DataView(tiffBytes.buffer, tiffBytes.byteOffset, tiffBytes.byteLength)
  const order = tiff.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const isLittle = order === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  if (directory + 2 > tiff.byteLength) return 1
  const entries = tiff.getUint16(directory, isLittle)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i
    if (entry + 12 > tiff.byteLength) return 1
    if (tiff.getUint16(entry, isLittle) !== 0x0112) continue
    const value = tiff.getUint16(entry + 8, isLittle)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
