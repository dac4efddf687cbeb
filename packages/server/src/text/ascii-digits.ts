/**
 * Digits as people's keyboards write them, such as ۱۲۳ or １２３, as 0 to 9. Decimal digits of a script stand in order
 * (Unicode Standard, section 4.6): in those below from a code that ends in 0 or in 6, of which every keyboard is.
 */
export function toAsciiDigits(text: string): string {
  return text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]|[\u0966-\u0d6f]/g, (digit) => {
    if (!/\p{Nd}/u.test(digit)) return digit
    const code = digit.charCodeAt(0) & 15
    return String(digit < '\u0900' ? code : code - 6)
  })
}
