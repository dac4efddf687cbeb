import { keepCookie, readCookie } from '../../lib/cookies.ts'

/** Whether the guide was put away in this browser. In a cookie, since signing out clears local storage. */
export function readGuideAway(): boolean {
  return readCookie('guide') === 'away'
}

export function keepGuideAway(isAway: boolean): void {
  keepCookie('guide', isAway ? 'away' : undefined)
}
