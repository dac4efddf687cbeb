import type { NamedCookie } from '@proofdesk/contract/cookies'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** @returns the value of a cookie that scripts may read; undefined where there is none, or an empty one. */
export function readCookie(name: NamedCookie): string | undefined {
  const prefix = `${name}=`
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(prefix))
  return found?.slice(prefix.length) || undefined
}

/**
 * It also comes along where a link from elsewhere leads here: none of them opens anything.
 * @param value Undefined takes it away.
 */
export function keepCookie(name: NamedCookie, value: string | undefined, seconds = YEAR_SECONDS): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const age = value === undefined ? 0 : seconds
  document.cookie = `${name}=${value ?? ''}; path=/; max-age=${age}; samesite=lax${secure}`
}
