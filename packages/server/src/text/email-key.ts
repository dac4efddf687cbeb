/**
 * The form in which e-mail addresses are compared: equal for those that differ only in case, and for no two that mail
 * servers tell apart. `foldCase` would take `gmaıl.com` (U+0131) for `gmail.com`, and `straße.de` for `strasse.de`: other
 * domains, which other people may have.
 * @see RFC 6531, section 3.7.1, and RFC 5891, section 5.3: neither maps compatibility forms
 */
export function toEmailKey(address: string): string {
  return address.normalize('NFC').toLowerCase()
}
