/** Names of the Latin character set (ISO 32000-2 annex D.2) in the order of their characters; letters of the alphabet are their own. */
const ASCII =
  'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash ' +
  'zero one two three four five six seven eight nine colon semicolon less equal greater question at'
const BRACKETS = 'bracketleft backslash bracketright asciicircum underscore grave'
const BRACES = 'braceleft bar braceright asciitilde'
/** From U+00A1 on; the hyphen that is only seen at the end of a line has none. */
const LATIN =
  'exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot - registered macron ' +
  'degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine guillemotright ' +
  'onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute ' +
  'Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash ' +
  'Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave ' +
  'eacute ecircumflex edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide ' +
  'oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis'
/** The rest, each before its character. */
const OTHERS =
  'OE Œ oe œ Scaron Š scaron š Zcaron Ž zcaron ž Ydieresis Ÿ Lslash Ł lslash ł dotlessi ı florin ƒ circumflex ˆ caron ˇ breve ˘ ' +
  'dotaccent ˙ ring ˚ ogonek ˛ tilde ˜ hungarumlaut ˝ endash – emdash — quoteleft ‘ quoteright ’ quotesinglbase ‚ quotedblleft “ ' +
  'quotedblright ” quotedblbase „ dagger † daggerdbl ‡ bullet • ellipsis … perthousand ‰ guilsinglleft ‹ guilsinglright › fraction ⁄ ' +
  'Euro € trademark ™ minus − fi ﬁ fl ﬂ'

const characters = new Map<string, string>()
const nameFrom = (first: number, names: string): void => {
  for (const [i, name] of names.split(' ').entries()) characters.set(name, String.fromCharCode(first + i))
}
nameFrom(0x20, ASCII)
nameFrom(0x5b, BRACKETS)
nameFrom(0x7b, BRACES)
nameFrom(0xa1, LATIN)
characters.delete('-')
const others = OTHERS.split(' ')
for (let i = 0; i < others.length; i += 2) characters.set(others[i]!, others[i + 1]!)

/** The character that a glyph of this name shows; undefined for names that fonts need not have. */
export const findCharacter = (name: string): string | undefined =>
  /^[A-Za-z]$/.test(name) ? name : characters.get(name)
