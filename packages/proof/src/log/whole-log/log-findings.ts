/**
 * What the log's own key signed, and cannot both be true; or what verifiers are shown and cannot rely on.
 * - `root`: the entries that were handed out give another root than the head that the log signed for so many
 * - `rewritten`: they give another root than the head that was remembered: the log does not continue it
 * - `bits_missing`: the page that is served leaves out approvals that the entries revoke or end
 * - `bits_extra`: the page that is served has bits that no entry calls for
 * - `page_false`: an earlier page, of which the log has the hash, had other bits than the entries before it call for
 * - `page_unusable`: what is served for a page is none that the log has, `code` says why
 * - `status_shape`: an entry names a page of a tree that it is itself in, or of a part that the tree does not reach
 */
export type LogContradiction =
  | 'root'
  | 'rewritten'
  | 'bits_missing'
  | 'bits_extra'
  | 'page_false'
  | 'page_unusable'
  | 'status_shape'

/**
 * What ought not to be, and convicts nobody.
 * - `not_witnessed`: too few of the witnesses that the policy asks for signed the head, or none of the independent ones
 * - `page_missing`: no page is served for a part of the log that has had approvals for two hours
 * - `page_replaced`: an older page is served than the newest that its own head has, or than one that was made two hours ago
 * - `page_late`: a page was not made within a day and two hours, or two hours after a change of what is on it, from `from` to `to`
 * - `status_backwards`: a page is dated before the one of the same part that came before it
 * - `status_far`: an entry names a page that more came after than any verifier takes; it was not compared
 * - `status_unsure`: more changes came while a page was made than can be told apart by its hash; it was not compared
 * - `time_backwards`: an entry is dated more than an hour before one that came before it
 * - `time_ahead`: an entry is dated more than an hour from now
 * - `kind_unknown`: an entry of a kind that is not known here, or none that can be read
 * - `ref_wrong`: a change refers to what is no approval before it
 * - `change_twice`: what is revoked is revoked again, or what is not is reinstated
 * - `approval_twice`: two entries are of one approval; one may be revoked, and the other shown
 * - `beginning`: the first entry, and it alone, has to name the log
 */
export type LogRemark =
  | 'not_witnessed'
  | 'page_missing'
  | 'page_replaced'
  | 'page_late'
  | 'status_backwards'
  | 'status_far'
  | 'status_unsure'
  | 'time_backwards'
  | 'time_ahead'
  | 'kind_unknown'
  | 'ref_wrong'
  | 'change_twice'
  | 'approval_twice'
  | 'beginning'

export type LogFindingCode = LogContradiction | LogRemark

/** What is known of one case: places of entries, pages, times in seconds since 1970 UTC. */
export type FindingDetails = Readonly<Record<string, number | string | null>>

/** All cases of one kind. */
export interface LogFinding {
  code: LogFindingCode
  count: number
  /** The first of them, at most `MAX_CASES`: a log may have millions. */
  cases: FindingDetails[]
}

/** Cases of one kind that are told one by one. */
export const MAX_CASES = 50

/** Those that tell most first: where the entries are not those that were signed, what they say convicts nobody. */
export const CONTRADICTIONS: readonly LogFindingCode[] = [
  'root',
  'rewritten',
  'bits_missing',
  'bits_extra',
  'page_false',
  'page_unusable',
  'status_shape',
] satisfies LogContradiction[]

/** Whether a finding is one that an honest log never gives rise to, whatever machines and clocks do. */
export function isContradiction(code: LogFindingCode): code is LogContradiction {
  return CONTRADICTIONS.includes(code)
}

/**
 * What came of reading a whole log: `newer` where entries of unknown kinds may change what was found.
 * A contradiction goes before it.
 */
export type LogVerdict = 'consistent' | 'contradicted' | 'newer'

/** Sums up what was found in one word. */
export function decideLogVerdict(findings: readonly LogFinding[]): LogVerdict {
  if (findings.some(({ code }) => isContradiction(code))) return 'contradicted'
  return findings.some(({ code }) => code === 'kind_unknown') ? 'newer' : 'consistent'
}
