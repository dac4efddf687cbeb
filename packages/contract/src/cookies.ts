/**
 * Every cookie this product sets, by what its name begins with. Whoever sets one takes the name from here, and the page on
 * privacy says what each is for.
 *
 * `refresh_turn` is the mark of the newest pair of tokens, as the web keeps it for its tabs. It is no secret and opens
 * nothing; the server takes from it only that somebody is signed in here, and names the scripts that a screen of theirs loads.
 */
export const COOKIE_NAMES = [
  'theme',
  'guide',
  'expiry_choice',
  'refresh_turn',
  'challenge',
  'provider',
  'visitor',
] as const
export type CookieName = (typeof COOKIE_NAMES)[number]

/** One of several of its kind goes on after its name. */
export type NamedCookie = CookieName | `${CookieName}${'_' | '-'}${string}`
