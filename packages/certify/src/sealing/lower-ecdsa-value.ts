import { fromHex, toHex } from '@proofdesk/proof/bytes'
import { readChildren, readContents, readOnlyElement, TAG, writeElement, writeSequence } from '@proofdesk/proof/der'

/** The order of P-256. SEC 2 section 2.4.2. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Of the two values that are right for one signature by P-256, `s` and order - `s`, the one with the lower `s`: whoever has one can
 * work out the other, so that ours is the one that we write. Verifiers take both.
 * @param signature DER of two integers, RFC 3279 section 2.2.3.
 */
export function lowerEcdsaValue(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(signature)
  const [r, s] = readChildren(readOnlyElement(bytes), TAG.sequence)
  const value = BigInt(`0x${toHex(readContents(s, TAG.integer))}`)
  return r && value > ORDER / 2n ? writeSequence(r.whole, writeNumber(ORDER - value)) : bytes
}

/** Positive, in its shortest form. X.690 section 8.3. */
function writeNumber(number: bigint): Uint8Array<ArrayBuffer> {
  const hex = number.toString(16)
  const digits = fromHex(hex.length % 2 === 0 ? hex : `0${hex}`)
  const sign = digits[0]! >= 0x80 ? [0] : []
  return writeElement(TAG.integer, Uint8Array.from(sign), digits)
}
