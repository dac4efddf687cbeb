import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import { m } from '../../paraglide/messages.js'
import { Sentence } from '../../ui/sentence.tsx'
import { MAIL_PROBLEM_WORDS } from '../../lib/mail-problem-words.ts'

/** What went wrong, in our words and then in those of the mail server. */
export function ProblemText({ problem, words }: { problem: MailProblem; words: string | null }) {
  return (
    <span className="grid gap-0.5">
      <span>{MAIL_PROBLEM_WORDS[problem]()}</span>
      {words !== null && (
        <span className="text-sm wrap-anywhere">
          <Sentence say={(place) => m.mail_server_said({ words: place })} text={words} />
        </span>
      )}
    </span>
  )
}
