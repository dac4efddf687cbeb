import { hashToken, looksLikeToken, makeToken } from '../../secrets/tokens.ts'

/** What a one-time code of a provider's answer is for: it is worth nothing for anything else. A link names who began it. */
export type HandoverPurpose = 'sign-in' | 'confirm' | `link ${number}` | 'join'

/** What the browser needs for the last step: the code in the address, the other half in a cookie. */
export interface Handover {
  code: string
  cookie: string
}

export function makeHandover(): Handover {
  return { code: makeToken(), cookie: makeToken() }
}

/**
 * What is stored of one. Without the cookie that was set beside it a code is worth nothing: a link with somebody else's
 * code signs nobody in.
 */
export function hashHandover(purpose: HandoverPurpose, { code, cookie }: Handover): string {
  return hashToken(`${purpose} ${code} ${cookie}`)
}

/** @returns undefined for what cannot be one of ours. */
export function hashGiven(
  purpose: HandoverPurpose,
  { code, cookie }: { code: string | undefined; cookie: string | undefined },
): string | undefined {
  if (code === undefined || cookie === undefined || !looksLikeToken(code)) return undefined
  return hashHandover(purpose, { code, cookie })
}
