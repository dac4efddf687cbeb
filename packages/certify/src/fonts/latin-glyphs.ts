/**
 * Names of the 258 glyphs of the standard Macintosh order, by which the table `post` counts (OpenType, post table, version 1). From
 * number 3 on they have the codes of Mac OS Roman that are no control codes; the last 32 have none.
 */
export const MACINTOSH_ORDER: readonly string[] = (
  '.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk ' +
  'plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at ' +
  'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore grave ' +
  'a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde ' +
  'Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave ' +
  'ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave ' +
  'ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered copyright trademark acute ' +
  'dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff summation product pi integral ' +
  'ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical florin approxequal Delta guillemotleft ' +
  'guillemotright ellipsis nonbreakingspace Agrave Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft quoteright ' +
  'divide lozenge ydieresis Ydieresis fraction currency guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase ' +
  'quotedblbase perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex ' +
  'apple Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron ' +
  'Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus multiply onesuperior twosuperior ' +
  'threesuperior onehalf onequarter threequarters franc Gbreve gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron dcroat'
).split(' ')

const FIRST_CODED = 3
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 0x20 + i))
/** Codes 128 to 255 of Mac OS Roman, as names mean them (Adobe Glyph List): Delta and Omega are signs there, not letters. */
const MACINTOSH =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªº\u2126æø¿¡¬√ƒ≈\u2206«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ' +
  '\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'
const UNCODED = 'ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ'
/** Codes 127 to 159 of WinAnsiEncoding, a bullet where nothing else stands (ISO 32000-2 table D.2, footnote 3). */
const WINDOWS = '•€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ'
/** Codes 161 to 251 of StandardEncoding, a space where nothing stands. */
const STANDARD = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß"

const CHARACTERS = new Map<string, number>([['Euro', 0x20ac]])
for (const [i, character] of [...(ASCII + MACINTOSH + UNCODED)].entries())
  CHARACTERS.set(MACINTOSH_ORDER[FIRST_CODED + i]!, character.codePointAt(0)!)
const NAMES = new Map([...CHARACTERS].map(([name, code]) => [code, name]))

const nameEach = (text: string): string[] => [...text].map((character) => NAMES.get(character.codePointAt(0)!) ?? '')
const UNPRINTED = Array.from({ length: 32 }, () => '')
const PLAIN = [...UNPRINTED, ...nameEach(ASCII)]

/** Names by code, the empty one where there is none (ISO 32000-2 annex D.2). */
export const ENCODINGS: Readonly<
  Record<'StandardEncoding' | 'MacRomanEncoding' | 'WinAnsiEncoding', readonly string[]>
> = {
  StandardEncoding: [
    ...PLAIN.with(0x27, 'quoteright').with(0x60, 'quoteleft'),
    ...Array.from({ length: 34 }, () => ''),
    ...nameEach(STANDARD).map((name) => (name === 'space' ? '' : name)),
    ...Array.from({ length: 4 }, () => ''),
  ],
  MacRomanEncoding: [...PLAIN, '', ...nameEach(MACINTOSH)].with(0xca, 'space'),
  WinAnsiEncoding: [...PLAIN, ...nameEach(WINDOWS), ...Array.from({ length: 96 }, (_, i) => NAMES.get(0xa0 + i) ?? '')]
    .with(0xa0, 'space')
    .with(0xad, 'hyphen'),
}

const ACCENTS: Record<string, string> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedilla: '\u0327',
  circumflex: '\u0302',
  // of Latvian, written with a cedilla in Unicode
  commaaccent: '\u0327',
  dblacute: '\u030b',
  dieresis: '\u0308',
  dotaccent: '\u0307',
  grave: '\u0300',
  hungarumlaut: '\u030b',
  macron: '\u0304',
  ogonek: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
  tonos: '\u0301',
}
const ACCENTED = new RegExp(`^(.+?)(${Object.keys(ACCENTS).join('|')})$`)
/** From U+0391 and U+03B1 on. Delta, Omega and mu have other characters in the list, and are not here. */
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const OTHERS: Record<string, number> = {
  Dcroat: 0x110,
  Scommaaccent: 0x218,
  scommaaccent: 0x219,
  nbspace: 0xa0,
  sfthyphen: 0xad,
}

/** Letters beyond those of the encodings, by how the Adobe Glyph List makes their names. */
function readLetter(name: string): number | undefined {
  if (Object.hasOwn(OTHERS, name)) return OTHERS[name]
  const greek = GREEK.indexOf(name.toLowerCase())
  if (greek >= 0) return name === name.toLowerCase() ? 0x3b1 + greek : 0x391 + greek
  const cyrillic = /^afii100(\d\d)$/.exec(name)
  if (cyrillic !== null) return readCyrillic(Number(cyrillic[1]))
  const [, base = '', accent = ''] = ACCENTED.exec(name) ?? []
  const letter =
    base.length === 1 ? base.codePointAt(0) : CHARACTERS.get(base) === undefined ? readGreek(base) : undefined
  if (letter === undefined) return undefined
  const composed = (String.fromCodePoint(letter) + ACCENTS[accent]!).normalize('NFC')
  return composed.length === 1 ? composed.codePointAt(0) : undefined
}

const readGreek = (name: string): number | undefined =>
  GREEK.includes(name.toLowerCase()) ? readLetter(name) : undefined

/** Numbers 17 to 49 are the capitals in order, Io behind Ie, and 65 to 97 the small letters. */
function readCyrillic(number: number): number | undefined {
  const isSmall = number >= 65
  const place = isSmall ? number - 65 : number - 17
  if (place < 0 || place > 32) return undefined
  if (place === 6) return isSmall ? 0x451 : 0x401
  return (isSmall ? 0x430 : 0x410) + (place < 6 ? place : place - 1)
}

/** The Unicode character that a name means. @returns undefined for a name that only longer lists have, or none. */
export function readGlyphName(name: string): number | undefined {
  const known = CHARACTERS.get(name)
  if (known !== undefined) return known
  return readNumbered(name) ?? readLetter(name)
}

function readNumbered(name: string): number | undefined {
  const [, digits] = /^(?:uni([0-9A-F]{4})$|u([0-9A-F]{4,6})$)/.exec(name)?.filter(Boolean) ?? []
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** Whether the name is a number, of a character that has no name here. */
export function isUnlistedNumber(name: string): boolean {
  const character = readNumbered(name)
  return character !== undefined && !NAMES.has(character)
}

/** What a glyph that is called by the number of its character is called by most fonts. @returns undefined where no name is known here. */
export function findCommonName(name: string): string | undefined {
  const character = readNumbered(name)
  return character === undefined ? undefined : NAMES.get(character)
}

/** What every font of Latin letters is to have (ISO 32000-2 annex D.2). */
const LATIN = new Set([...ENCODINGS.StandardEncoding, ...ENCODINGS.WinAnsiEncoding])

/** The character of a name that every font of Latin letters has a glyph for; undefined for any other. */
export function readLatinName(name: string): string | undefined {
  const character = LATIN.has(name) ? CHARACTERS.get(name) : undefined
  return character === undefined ? undefined : String.fromCodePoint(character)
}

/** What a character is called that every font of Latin letters has a glyph for; undefined for any other. */
export function findLatinName(character: number): string | undefined {
  const name = NAMES.get(character)
  return name !== undefined && LATIN.has(name) ? name : undefined
}

/** The code that a name has in Mac OS Roman. */
export function findMacintoshCode(name: string): number | undefined {
  const index = MACINTOSH_ORDER.indexOf(name)
  if (index < FIRST_CODED || index >= FIRST_CODED + 95 + 128) return undefined
  return index < FIRST_CODED + 95 ? index - FIRST_CODED + 0x20 : index - FIRST_CODED - 95 + 0x80
}
