import type { MailRecordVerdict } from '@proofdesk/contract/mail-delivery'

/** RFC 7208 section 4.6.1: a mechanism with its qualifier. */
const DIRECTIVE =
  /^[+?~-]?(?:all|(?:include|exists):\S+|(?:a|mx)(?::[^\s/]+)?(?:\/\d+)?(?:\/\/\d+)?|ptr(?::\S+)?|ip[46]:[0-9a-f.:]+(?:\/\d+)?)$/i
const MODIFIER = /^[a-z][a-z0-9_.-]*=\S*$/i
/** Terms that cost a lookup, of which ten are allowed (section 4.6.4). */
const LOOKUP = /^(?:[+?~-]?(?:include:|exists:|(?:a|mx|ptr)(?:[:/]|$))|redirect=)/i
const MOST_LOOKUPS = 10

export interface JudgedRecord {
  verdict: MailRecordVerdict
  /** What is published, as far as it is meant as such a record. */
  found: string[]
  /** What to publish instead; null also where what is published has to be mended by whoever knows what it is for. */
  text: string | null
}

/**
 * Judges what stands at the sender's domain. Whether it names the machine that mails leave from cannot be seen from here.
 * @param mailHost By which mails leave.
 */
export function judgeSpf(records: readonly string[], mailHost: string): JudgedRecord {
  const found = records.filter((text) => /^v=spf1(?: |$)/i.test(text))
  const [only] = found
  const wanted = `v=spf1 ${mailHost} ~all`
  if (only === undefined) return { verdict: 'missing', found, text: wanted }
  const termsOf = (text: string) => text.split(/ +/).slice(1).filter(Boolean)
  const isAll = (term: string) => /^[+?~-]?all$/i.test(term)
  const closed = (terms: string[]) => ['v=spf1', ...new Set(terms.filter((term) => !isAll(term))), '~all'].join(' ')
  if (found.length > 1) return { verdict: 'several', found, text: closed(found.flatMap(termsOf)) }

  const terms = termsOf(only)
  if (!terms.every((term) => DIRECTIVE.test(term) || MODIFIER.test(term)))
    return { verdict: 'malformed', found, text: null }
  if (terms.filter((term) => LOOKUP.test(term)).length > MOST_LOOKUPS)
    return { verdict: 'too_many_lookups', found, text: null }
  const all = terms.find(isAll)
  if (all !== undefined && /^\+?all$/i.test(all)) return { verdict: 'allows_all', found, text: closed(terms) }
  const hasEnd = all === undefined ? terms.some((term) => /^redirect=/i.test(term)) : !all.startsWith('?')
  return hasEnd ? { verdict: 'fits', found, text: null } : { verdict: 'says_nothing', found, text: closed(terms) }
}
