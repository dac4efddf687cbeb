import type { Config } from '../config/config.ts'
import { claimFact, findFact, replaceFact } from '../db/instance.ts'
import type { Deps } from '../deps.ts'
import { defineEvents } from '../events/event.ts'
import { recordEvents } from '../events/record-events.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

const FACT = 'settings'
const MARK_LENGTH = 16

/** Those that several processes on the same data need not share, and what follows from others. */
const LEFT_OUT: ReadonlySet<keyof Config> = new Set(['port', 'host', 'logLevel', 'isTestInstance', 'isLocalOnly'])

export const settingsEvents = defineEvents({
  settings_changed: (names: readonly string[]) => ({
    audit: { actor: null, object: { kind: 'installation', id: null }, details: { settings: names.join(' ') } },
  }),
})

/** Records at the start which settings are others than they were at the last. What they are is not kept: some are secrets. */
export async function recordSettings(
  deps: Pick<Deps, 'db' | 'now' | 'outbox' | 'live' | 'config' | 'secrets'>,
): Promise<void> {
  const marks = markSettings(deps.config, deps.secrets)
  const text = JSON.stringify(marks)
  const was = await findFact(deps.db, FACT)
  if (was === undefined) await claimFact(deps.db, FACT, text)
  if (was === undefined || was === text) return
  const before = JSON.parse(was) as Record<string, string>
  const changed = Object.keys({ ...before, ...marks }).filter((name) => before[name] !== marks[name])
  await recordEvents(deps, async (transaction, emit) => {
    // Of several processes that start at once one says so.
    if (await replaceFact(transaction, FACT, was, text)) await emit(settingsEvents.settings_changed(changed))
  })
}

function markSettings(config: Config, secrets: SecretBox): Record<string, string> {
  const names = (Object.keys(config) as (keyof Config)[]).filter((name) => !LEFT_OUT.has(name)).toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const mark = secrets.mac(JSON.stringify(config[name]) ?? '', `setting ${name}`).slice(0, MARK_LENGTH)
      return [name, mark]
    }),
  )
}
