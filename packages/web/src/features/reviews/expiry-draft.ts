import { useState } from 'react'
import { useDraft } from '../../lib/use-draft.ts'
import { enterChoice, EXPIRY_CHOICES, type ExpiryChoice, type ExpiryEntry } from '../../ui/expiry-fields.tsx'

/** Before a date of one's own, which may still be empty; a term is kept by its name alone. */
const OWN_DATE = 'on '

/**
 * The expiry as it is being entered. Kept as the description beside it is: whoever comes back to the dialog must not find
 * another one.
 * @param name Of its draft.
 * @param usual What stands there while nothing was entered; never, where nobody has said otherwise.
 */
export function useExpiryDraft(
  name: string,
  usual: ExpiryChoice | undefined,
): [entry: ExpiryEntry, setEntry: (entry: ExpiryEntry) => void] {
  const [kept, keep] = useDraft(name)
  const [entry, setEntry] = useState(() => readKept(kept) ?? enterChoice(usual ?? 'never', new Date()))
  return [
    entry,
    (next) => {
      keep(next.choice ?? OWN_DATE + next.local)
      setEntry(next)
    },
  ]
}

/** Storage outlives deployments, so its shape is checked. */
function readKept(kept: string): ExpiryEntry | undefined {
  if (kept.startsWith(OWN_DATE)) return { choice: undefined, local: kept.slice(OWN_DATE.length) }
  const choice = EXPIRY_CHOICES.find((one) => one === kept)
  return choice && enterChoice(choice, new Date())
}
