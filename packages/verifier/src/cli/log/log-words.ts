import type { FindingDetails, LogFindingCode, LogVerdict } from '@proofdesk/proof/log/whole-log/log-findings'
import { formatTime } from '../../words.ts'

/** What the command says of a log, in English. */
export const LOG_WORDS = {
  verdicts: {
    consistent: 'It adds up',
    contradicted: 'It contradicts itself',
    newer: 'It has entries of a newer version',
  } satisfies Record<LogVerdict, string>,
  explanations: {
    consistent:
      'All entries were read. They give the signed head, and each list of revocations says what they call for: no revocation is left out, and none is made up.',
    contradicted:
      'All entries were read. What they say is not what was signed, or what is shown. Keep what was printed here and what you have of the log, and tell others.',
    newer:
      'All entries were read and give the signed head. Some are of kinds that are not known here: what they change was not compared. A newer version of this program can.',
  } satisfies Record<LogVerdict, string>,
  /** In the place of the first. */
  uncompared:
    'All entries were read. They give the signed head, and each list of revocations that could be compared says what they call for. Not all could: one that could not may leave a revocation out.',
  unread: 'The log could not be read to its end. That says nothing for or against it',
  untrusted: 'What was answered is no head that a log of this policy signed',
  unreadable: 'What was answered cannot be judged here. That says nothing for or against the log',
  remembered: (size: number) => `It continues the head that was remembered, of ${size} entries`,
  rememberedNone: 'No head was remembered: that its past was not changed is not known from before this time',
  witnesses: 'Witnesses',
  entries: 'Entries',
  head: 'Root of the head',
  page: (page: number) => `List of revocations ${page}`,
  pageNone: 'None is served',
  limits:
    'What a log cannot tell: whether the operator revoked what should have been, what was approved (entries name nobody), and whether others are shown another log, unless witnesses signed.',
} as const

const timeOf = (details: FindingDetails, name: string) => formatTime(Number(details[name]))

/** Each begins a line that names a case. */
const FINDINGS: Record<LogFindingCode, (details: FindingDetails) => string> = {
  root: ({ size, signed, found }) =>
    `The log signed the root ${signed} for ${size} entries; those that it hands out give ${found}`,
  rewritten: ({ size, signed, found }) =>
    `The head that was remembered has the root ${signed} for ${size} entries; the first ${size} of today give ${found}: its past was changed`,
  bits_missing: ({ index, page, status }) =>
    `Entry ${index} is revoked, or its expiry was moved to a day that has passed, and list ${page} (entry ${status}) does not say so`,
  bits_extra: ({ index, page, status }) =>
    `List ${page} (entry ${status}) says that entry ${index} is revoked, and no entry does`,
  page_false: (details) =>
    `List ${details['page']} of ${timeOf(details, 'time')} (entry ${details['index']}, of ${details['size']} entries) was not what the entries before it call for`,
  page_unusable: ({ page, code }) => `What is served as list ${page} is none that the log has (${code})`,
  status_shape: ({ index, page, size }) =>
    `Entry ${index} names list ${page} of a tree of ${size} entries, which has it itself or does not reach that far`,
  not_witnessed: ({ size }) => `The witnesses that the policy asks for have not signed the head of ${size} entries`,
  page_missing: ({ page }) => `List ${page} is not served`,
  page_replaced: ({ page, index, newest }) =>
    `List ${page} is served as of entry ${index}, and there is a newer one, entry ${newest}`,
  page_late: (details) =>
    `List ${details['page']} was not made from ${timeOf(details, 'from')} to ${timeOf(details, 'to')}, and should be each day and after each change`,
  status_backwards: (details) =>
    `List ${details['page']} is dated ${timeOf(details, 'time')} (entry ${details['index']}), before ${timeOf(details, 'before')} of an earlier one`,
  status_far: ({ index, page, size }) =>
    `Entry ${index} names list ${page} of ${size} entries: no verifier takes one from so far back, and it was not compared`,
  status_unsure: ({ index, page }) =>
    `So much changed while list ${page} was made (entry ${index}) that it could not be compared by its hash: it may leave a revocation out`,
  time_backwards: (details) =>
    `Entry ${details['index']} is dated ${timeOf(details, 'time')}, after one that is dated ${timeOf(details, 'before')}`,
  time_ahead: (details) => `Entry ${details['index']} is dated in the future, ${timeOf(details, 'time')}`,
  kind_unknown: ({ index, kind, version }) =>
    kind === null
      ? `Entry ${index} cannot be read`
      : `Entry ${index} is of the kind ${kind}, version ${version ?? 'unknown'}, in a form that is not known here`,
  ref_wrong: ({ index, ref }) => `Entry ${index} changes entry ${ref}, which is no approval before it`,
  change_twice: ({ index, ref }) => `Entry ${index} revokes or reinstates entry ${ref}, which was so already`,
  approval_twice: ({ index }) =>
    `Entry ${index} is of an approval that has another entry: one may be revoked, and the other shown`,
  beginning: ({ index, origin }) =>
    origin === undefined
      ? `Entry ${index} should be the beginning of the log if it is the first, and only then`
      : `The first entry names another log, ${origin}`,
}

/** One case of a finding, in a sentence. */
export function sayFinding(code: LogFindingCode, details: FindingDetails): string {
  return FINDINGS[code](details)
}
