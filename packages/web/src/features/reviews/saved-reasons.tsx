import { Description, type Decision } from '@proofdesk/contract/reviews'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CONTROL } from '../../ui/field.tsx'
import { useDeleteReason, useReasons, useSaveReason } from './api.ts'

/** So much of a text is shown to choose it by. */
const SHOWN_CHARACTERS = 70

export interface SavedReasonsProps {
  decision: Decision
  /** What stands in the description now. */
  text: string
  onText: (text: string) => void
}

/** Descriptions the reviewer has saved: choosing one, saving this one, forgetting it. */
export function SavedReasons({ decision, text, onText }: SavedReasonsProps) {
  const { data: reasons } = useReasons()
  const save = useSaveReason()
  const forget = useDeleteReason()
  const ofDecision = reasons?.filter((reason) => reason.decision === decision) ?? []
  const saved = ofDecision.find((reason) => reason.text === text.trim())
  const failure = save.error ?? forget.error
  return (
    <div className="-mt-2 grid gap-2">
      <div className="flex min-h-9.5 flex-wrap items-center gap-2">
        {ofDecision.length > 0 && (
          <select
            aria-label={m.reasons_label()}
            value={saved?.id ?? ''}
            onChange={({ target }) => {
              const chosen = ofDecision.find(({ id }) => id === Number(target.value))
              if (chosen) onText(chosen.text)
            }}
            className={`${CONTROL} min-h-9! w-auto! min-w-0 grow basis-40`}
          >
            <option value="" disabled hidden>
              {m.reasons_label()}
            </option>
            {ofDecision.map((reason) => (
              <option key={reason.id} value={reason.id}>
                {shorten(reason.text)}
              </option>
            ))}
          </select>
        )}
        {saved ? (
          <Button kind="quiet" busy={forget.isPending} onClick={() => forget.mutate(saved.id)}>
            {m.reasons_forget()}
          </Button>
        ) : (
          <Button
            kind="quiet"
            className={ofDecision.length === 0 ? '-ms-3.5' : ''}
            busy={save.isPending}
            disabled={!Description.safeParse(text).success}
            onClick={() => save.mutate({ decision, text: text.trim() })}
          >
            {m.reasons_save()}
          </Button>
        )}
      </div>
      {failure && <ErrorBanner>{wordsOf(failure, m.reasons_failed())}</ErrorBanner>}
    </div>
  )
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line
}
