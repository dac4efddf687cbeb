const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Whether the guide was put away in this browser. In a cookie, since signing out clears local storage. */
export function readGuideAway(): boolean {
  return document.cookie.split('; ').includes('guide=away')
}

export function keepGuideAway(isAway: boolean): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const life = isAway ? YEAR_SECONDS : 0
  document.cookie = `guide=away; path=/; max-age=${life}; samesite=lax${secure}`
}
