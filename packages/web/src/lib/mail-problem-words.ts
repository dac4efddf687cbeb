import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import { m } from '../paraglide/messages.js'

export const MAIL_PROBLEM_WORDS: Record<MailProblem, () => string> = {
  unreachable: m.mail_problem_unreachable,
  name_unknown: m.mail_problem_name_unknown,
  timed_out: m.mail_problem_timed_out,
  not_encrypted: m.mail_problem_not_encrypted,
  sign_in_refused: m.mail_problem_sign_in_refused,
  address_refused: m.mail_problem_address_refused,
  came_back: m.mail_problem_came_back,
  message_refused: m.mail_problem_message_refused,
  not_understood: m.mail_problem_not_understood,
  folder_failed: m.mail_problem_folder_failed,
  other: m.mail_problem_other,
}
