import { m } from '../../paraglide/messages.js'
import { formatTime } from '../../ui/time.tsx'
import type { CheckedLog } from './read-log.ts'
import type { WitnessNews } from './read-witnesses.ts'

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
      {witnesses.length > 0 && (
        <>
          <p className="mt-2.5 max-w-prose text-ink-2">{m.transparency_witnesses_text()}</p>
          <ul className="mt-4 divide-y divide-line border-y border-line">
            {witnesses.map((witness) => (
              <li key={witness.name} className="py-2.5">
                <Key>{witness.name}</Key>
                <p className="font-[560]">{sayLast(witness)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      {ownWitnessKey !== null && (
        <div className="mt-4">
          <p className="text-ink-2">{m.transparency_own_witness()}</p>
          <Key>{ownWitnessKey}</Key>
        </div>
      )}
    </section>
  )
}

function Key({ children }: { children: string }) {
  return (
    <p dir="ltr" className="font-mono text-[0.8rem] wrap-anywhere text-start">
      {children}
    </p>
  )
}

function sayLast({ last }: WitnessNews): string {
  if (!last) return m.transparency_witness_never()
  const time = formatTime(new Date(last.at * 1000).toISOString())
  return m.transparency_witness_last({ time, size: last.head.size })
}
