import { m } from '../../paraglide/messages.js'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { formatTime } from '../../ui/time.tsx'
import type { CheckedLog } from './read-log.ts'

/** Who else signs the log, and what each signed last; nothing where there is nobody. */
export function LogWitnesses({
  log: { witnesses, ownWitnessKey },
}: {
  log: Pick<CheckedLog, 'witnesses' | 'ownWitnessKey'>
}) {
  if (witnesses.length === 0 && ownWitnessKey === null) return null
  return (
    <section aria-labelledby="log-witnesses" className="sheet p-5 sm:p-7">
      <h2 id="log-witnesses" className="font-serif text-xl font-semibold">
        {m.transparency_witnesses()}
      </h2>
      <p className="mt-2.5 max-w-prose text-ink-2">{m.transparency_witnesses_text()}</p>
      <dl className={`mt-5 ${FACTS}`}>
        {witnesses.map(({ name, last }) => (
          <Fact key={name} name={name}>
            {last
              ? m.transparency_witness_last({
                  time: formatTime(new Date(last.at * 1000).toISOString()),
                  size: last.head.size,
                })
              : m.transparency_witness_never()}
          </Fact>
        ))}
        {ownWitnessKey !== null && (
          <Fact name={m.transparency_own_witness()} isCode>
            {ownWitnessKey}
          </Fact>
        )}
      </dl>
    </section>
  )
}
