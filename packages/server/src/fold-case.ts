/**
 * The form in which names, addresses and titles are compared whatever their case. Full-width and composed forms fall
 * together too; upper-casing first lets letters meet that have one capital but two small forms (s and long s, the two
 * Greek sigmas).
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}
