import { Download } from 'lucide-react'
import { OfflinePageLink } from '../../features/certificates/offline-page-link.tsx'
import { ProofBox } from '../../features/certificates/proof-box.tsx'
import { LogEntries } from '../../features/log/log-entries.tsx'
import { BrokenLogNotice, LateLogNotice, LogHead } from '../../features/log/log-head.tsx'
import { LogWitnesses } from '../../features/log/log-witnesses.tsx'
import { canCheck } from '../../features/log/read-log.ts'
import { useLog } from '../../features/log/use-log.ts'
import { m } from '../../paraglide/messages.js'
import { FailedPart } from '../../ui/failed-part.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'

/** Open to everyone: the log, read and checked by the browser as a stranger's program would. */
export default function TransparencyPage() {
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeading title={m.transparency_title()} lead={m.transparency_lead()} />
      {/* Above the log: it can be used before the log is there, or where it is not, and does not jump when it comes. */}
      <div className="mt-6 mb-5 has-[[aria-live]:empty]:mb-0">
        <ProofBox />
      </div>
      <div data-place className="peer grid gap-5">
        {canCheck() ? <CheckedHere /> : <CannotCheck />}
      </div>
      {/* Not seen until the log is there, or it would jump. */}
      <div className="mt-5 grid gap-5 peer-has-[[data-coming]]:invisible">
        <TakeAway />
        <section className="sheet p-5 sm:p-7">
          <h2 className="font-serif text-xl font-semibold">{m.transparency_how_title()}</h2>
          {[
            m.transparency_how_leaf(),
            m.transparency_how_head(),
            m.transparency_how_privacy(),
            m.transparency_how_tools(),
          ].map((paragraph) => (
            <p key={paragraph} className="mt-2.5 max-w-prose text-ink-2">
              {paragraph}
            </p>
          ))}
        </section>
      </div>
    </div>
  )
}

/** What a stranger needs to check documents alone, for as long as they are kept. */
function TakeAway() {
  return (
    <section aria-labelledby="take-away" className="sheet p-5 sm:p-7">
      <h2 id="take-away" className="font-serif text-xl font-semibold">
        {m.transparency_take_title()}
      </h2>
      <p className="mt-2.5 max-w-prose text-ink-2">{m.transparency_take_text()}</p>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        <OfflinePageLink />
        <div>
          <a
            href="/log/instance-policy"
            download="proofdesk-policy.json"
            className="inline-flex items-center gap-2 font-[560] text-brand underline-offset-4 hover:underline"
          >
            <Download aria-hidden size={17} />
            {m.transparency_take_policy()}
          </a>
        </div>
      </div>
    </section>
  )
}

function CheckedHere() {
  const { log, readAgain } = useLog()
  if (log === undefined)
    return (
      <div className="sheet min-h-96 p-5" aria-busy>
        <LoadingArea />
      </div>
    )
  if (log === 'failed')
    return (
      <div className="sheet p-5">
        <FailedPart onRetry={readAgain} />
      </div>
    )
  if (log.kind === 'broken') return <BrokenLogNotice log={log} />
  if (log.kind === 'behind') return <LateLogNotice log={log} onReadAgain={readAgain} />
  return (
    <>
      <LogHead log={log} />
      <LogWitnesses log={log} />
      <LogEntries entries={log.entries} />
    </>
  )
}

function CannotCheck() {
  return (
    <section className="sheet p-5 sm:p-7">
      <h2 className="font-serif text-xl font-semibold">{m.transparency_cannot_check()}</h2>
      <p className="mt-2 max-w-prose text-ink-2">{m.transparency_cannot_check_text()}</p>
    </section>
  )
}
