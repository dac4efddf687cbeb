/**
 * The form in which names, addresses and titles are compared and searched: equal for texts that differ only in case, in how
 * accents are composed, or in compatibility forms (full width letters, ligatures).
 *
 * Upper case first and then lower case is the nearest to Unicode's full case folding that the language offers: it
 * joins ß and SS. The final sigma is the one letter whose lower case depends on its neighbours.
 * @see Unicode Standard, section 3.13, default caseless matching
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}
