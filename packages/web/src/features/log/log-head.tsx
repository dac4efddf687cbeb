import { BadgeCheck, History, ShieldAlert } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { formatTime } from '../../ui/time.tsx'
import type { BrokenLog, CheckedLog, LateLog } from './read-log.ts'

/** The newest signed head of a log that holds, and what was checked about it. */
export function LogHead({ log }: { log: CheckedLog }) {
  return (
    <section aria-labelledby="log-head" className="sheet p-5 sm:p-7">
      <h2 id="log-head" className="font-serif text-xl font-semibold">
        {m.transparency_head()}
      </h2>
      <p className="mt-3 flex gap-2.5 font-[560]">
        <BadgeCheck aria-hidden size={20} className="mt-0.5 shrink-0 text-ok" />
        {m.transparency_checked()}
      </p>
      <p className="mt-1 max-w-prose text-ink-2">
        {m.transparency_checked_text()}{' '}
        {log.known ? m.transparency_continues({ time: formatTime(log.known.seenAt) }) : m.transparency_first()}
      </p>
      <dl className={`mt-5 ${FACTS}`}>
        <Fact name={m.transparency_size()}>{log.size}</Fact>
        <Fact name={m.transparency_name()} isCode>
          {log.origin}
        </Fact>
        <Fact name={m.transparency_root()} isCode>
          {log.root}
        </Fact>
        <Fact name={m.transparency_key()} isCode>
          {log.verifierKey}
        </Fact>
        <Fact name={m.transparency_witnesses()}>{sayVouching(log)}</Fact>
      </dl>
      <SignedText text={log.note} label={m.transparency_copy_head()} />
    </section>
  )
}

/** Who vouches for this head. A witness that signed an earlier one vouches for the log, but not yet for what came since. */
function sayVouching({ vouching, witnesses }: CheckedLog): string {
  if (vouching.length > 0) return vouching.join(', ')
  return witnesses.some(({ last }) => last) ? m.transparency_witness_due() : m.transparency_no_witness()
}

/** A log that must not be relied on, with the evidence. */
export function BrokenLogNotice({ log }: { log: BrokenLog }) {
  const isHistory = log.reason === 'history' && log.known !== undefined
  return (
    <section role="alert" className="sheet border-seal p-5 sm:p-7">
      <h2 className="flex gap-2.5 font-serif text-xl font-semibold">
        <ShieldAlert aria-hidden size={24} className="mt-0.5 shrink-0 text-seal" />
        {isHistory ? m.transparency_broken_history() : m.transparency_broken_contents()}
      </h2>
      <p className="mt-2 max-w-prose text-ink-2">
        {isHistory && log.known
          ? m.transparency_broken_history_text({ time: formatTime(log.known.seenAt) })
          : m.transparency_broken_contents_text()}
      </p>
      <SignedText
        text={log.known ? `${log.known.note}\n${log.note}` : log.note}
        label={log.known ? m.transparency_copy_evidence() : m.transparency_copy_head()}
      />
    </section>
  )
}

/** A log whose head is older than one that was signed, with both and the way to look again. */
export function LateLogNotice({ log, onReadAgain }: { log: LateLog; onReadAgain: () => void }) {
  return (
    <section role="alert" className="sheet p-5 sm:p-7">
      <h2 className="flex gap-2.5 font-serif text-xl font-semibold">
        <History aria-hidden size={24} className="mt-0.5 shrink-0 text-ink-2" />
        {m.transparency_behind()}
      </h2>
      <p className="mt-2 mb-4 max-w-prose text-ink-2">{m.transparency_behind_text()}</p>
      <RetryButton onClick={onReadAgain} />
      <SignedText text={`${log.newer}\n${log.note}`} label={m.transparency_copy_evidence()} />
    </section>
  )
}

/** As it was signed, for whoever checks it with other programs. */
function SignedText({ text, label }: { text: string; label: string }) {
  return (
    <div className="mt-4 flex gap-2 rounded-control bg-sunk p-3">
      <pre dir="ltr" className="min-w-0 grow font-mono text-[0.8rem] whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  )
}
