import type { JudgedRecord } from './judge-spf.ts'
import { parseTagList } from './tag-list.ts'

/** To begin with: it asks for nothing, and makes receivers look. */
const WANTED = 'v=DMARC1; p=none'

/** Whether a text is meant as a DMARC record (RFC 7489 section 6.6.3); what is not counts as not there. */
export function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)
}

/** @param isParent They stand at a parent of the sender's domain, where the policy of subdomains counts. */
export function judgeDmarc(records: readonly string[], isParent: boolean): JudgedRecord {
  const found = records.filter(isDmarc)
  const [only] = found
  if (only === undefined) return { verdict: 'missing', found, text: WANTED }
  if (found.length > 1) return { verdict: 'several', found, text: WANTED }
  const tags = parseTagList(only)
  const policy = ((isParent ? tags?.get('sp') : undefined) ?? tags?.get('p'))?.toLowerCase()
  if (policy === 'none') return { verdict: 'asks_nothing', found, text: null }
  if (policy === 'quarantine' || policy === 'reject') return { verdict: 'fits', found, text: null }
  return { verdict: 'malformed', found, text: WANTED }
}
