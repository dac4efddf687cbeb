import type { MailState, MailTest } from '@proofdesk/contract/mail-delivery'
import { CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { useTestMail } from './api.ts'
import { ProblemText } from './problem-text.tsx'

/** Sends a test mail and says what became of it. @param way Absent while it is not known yet. */
export function TestMail({ way }: { way: MailState['way'] | undefined }) {
  const lead = useId()
  const { mutate, isPending, error } = useTestMail()
  const [result, setResult] = useState<MailTest>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          kind="brand"
          busy={isPending}
          aria-describedby={lead}
          onClick={() => {
            setResult(undefined)
            mutate(undefined, { onSuccess: setResult })
          }}
        >
          {isPending ? m.mail_test_sending() : m.mail_test_send()}
        </Button>
        <p id={lead} className="min-w-0 text-sm text-ink-2">
          {m.mail_test_lead()}
        </p>
      </div>
      {error && !isPending && <ErrorBanner>{wordsOf(error, m.mail_test_failed())}</ErrorBanner>}
      {result && <TestResult result={result} way={way} />}
    </div>
  )
}

function TestResult({ result, way }: { result: MailTest; way: MailState['way'] | undefined }) {
  const { recipient, problem, words } = result
  if (!result.is_delivered)
    return (
      <ErrorBanner>
        <p>
          <Sentence say={(place) => m.mail_test_undelivered({ recipient: place })} text={recipient} />
        </p>
        <ProblemText problem={problem ?? 'other'} words={words} />
      </ErrorBanner>
    )
  const say = way === 'folder' ? m.mail_test_written : m.mail_test_delivered
  return (
    <output className="flex gap-2.5 rounded-control border border-ok/35 bg-ok-wash px-3.5 py-2.5 text-ok">
      <CircleCheck aria-hidden size={17} className="mt-0.75 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <Sentence say={(place) => say({ recipient: place })} text={recipient} />
      </span>
    </output>
  )
}
