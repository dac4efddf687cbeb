/** Scripts people write today: recommended and limited ones of Unicode Standard Annex 31, tables 5 and 7. */
const SCRIPTS =
  'Adlam Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Canadian_Aboriginal Chakma Cham Cherokee Cyrillic ' +
  'Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hanifi_Rohingya Hebrew Hiragana Javanese Kannada ' +
  'Katakana Kayah_Li Khmer Lao Latin Lepcha Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar ' +
  'New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra Sinhala Sundanese Syloti_Nagri Syriac ' +
  'Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi'

/** Written together as one (Unicode Technical Standard 39, section 5.1): Japanese, Korean, Chinese with its alphabet. */
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
]

const GROUPS = [...SCRIPTS.split(' ').map((script) => [script]), ...WRITTEN_TOGETHER]

/** One pattern for each script, made when first asked for: a page that takes no username needs none. */
let patterns: RegExp[] | undefined

function listPatterns(): RegExp[] {
  patterns ??= GROUPS.map((scripts) => {
    const own = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')
    return new RegExp(`^[${own}\\p{Script=Common}\\p{Script=Inherited}]*$`, 'u')
  })
  return patterns
}

/** Letters, digits and @ . + - _, none of them invisible. */
export function hasUsernameCharacters(text: string): boolean {
  return /^[\p{L}\p{M}\p{Nd}@.+\-_]*$/u.test(text) && !/\p{Default_Ignorable_Code_Point}/u.test(text)
}

/** All letters of one script, all digits of one kind (Unicode Technical Standard 39, sections 5.1 and 5.3). */
export function hasOneScript(text: string): boolean {
  return listPatterns().some((pattern) => pattern.test(text)) && countKindsOfDigits(text) <= 1
}

/** Digits of one kind stand in a row from nought to nine, so the place of the nought names them. */
function countKindsOfDigits(text: string): number {
  const noughts = [...text.matchAll(/\p{Nd}/gu)].map(([digit]) => {
    let nought = digit.codePointAt(0) ?? 0
    while (/\p{Nd}/u.test(String.fromCodePoint(nought - 1)) && (digit.codePointAt(0) ?? 0) - nought < 9) nought -= 1
    return nought
  })
  return new Set(noughts).size
}

/**
 * In composed text (NFKC) the letters of Latin, Greek and Cyrillic carry their accents themselves. A mark that is left
 * over there, or at the beginning, or twice in a row, is made to deceive, and so is one around a letter.
 */
export function hasNoLooseMarks(text: string): boolean {
  if (/(^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}@.+\-_])\p{M}/u.test(text)) return false
  return !/\p{Me}|(\p{Mn})\1|\p{Mn}{5}/u.test(text)
}
