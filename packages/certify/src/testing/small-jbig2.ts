const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** A part of a JBIG2 image of one page (ITU-T T.88 section 7.2). */
export const segmentOf = (number: number, kind: number, data: Buffer): Buffer =>
  Buffer.concat([word(number), Buffer.of(kind, 0, 1), word(data.length), data])

export const pageOf = (width: number, height: number): Buffer =>
  segmentOf(0, 48, Buffer.concat([word(width), word(height), Buffer.alloc(11)]))

/** Places of neighbours that foretell a pixel, as they usually are (ITU-T T.88 section 6.2.5.3). */
const NEIGHBOURS = Buffer.of(3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe)

/** A part of some pattern: what the bytes of its codes come to is the same for all that follow the standard. */
export const regionOf = (side: number, left = 0): Buffer =>
  segmentOf(
    1,
    38,
    Buffer.concat([place(side, left), Buffer.of(0), NEIGHBOURS, Buffer.of(0x9a, 0x3c, 0x51, 0x77, 0xff, 0xac)]),
  )

/** A part that is packed as a fax of group 4. */
export const faxRegionOf = (fax: Buffer, side: number): Buffer =>
  segmentOf(1, 38, Buffer.concat([place(side, 0), Buffer.of(1), fax]))

const place = (side: number, left: number): Buffer =>
  Buffer.concat([word(side), word(side), word(left), word(0), Buffer.of(0)])
