import { useState } from 'react'
import { toLocalValue } from '../../lib/local-time.ts'
import { m } from '../../paraglide/messages.js'
import { ExpiryFields, judgeExpiry, readEntry, type ExpiryEntry } from '../../ui/expiry-fields.tsx'
import { NoteField } from './note-field.tsx'
import { ProofForm } from './proof-form.tsx'
import type { ProofFormProps } from './use-proof-form.ts'

/** Begins with the expiry that holds now; terms count from today. */
export function ExpiryForm({ seen, note, setNote, send, isPending, problem, leave }: ProofFormProps) {
  const [entry, setEntry] = useState(() => readExpiry(seen.expire_time))
  const [earliest] = useState(() => toLocalValue(new Date()))
  const [fault, setFault] = useState<string>()

  function submit() {
    const expireTime = readEntry(entry)
    setFault(judgeExpiry(entry))
    if (expireTime !== undefined && !judgeExpiry(entry)) send({ expire_time: expireTime, text: note })
  }

  return (
    <ProofForm
      action={m.proof_expiry_action()}
      kind="brand"
      busy={isPending}
      problem={problem}
      onLeave={leave}
      onSubmit={submit}
    >
      <ExpiryFields
        entry={entry}
        earliest={earliest}
        error={fault}
        onChange={(changed) => {
          setEntry(changed)
          setFault(undefined)
        }}
      />
      <NoteField note={note} onNote={setNote} />
    </ProofForm>
  )
}

function readExpiry(expireTime: string | null): ExpiryEntry {
  if (expireTime === null) return { choice: 'never', local: '' }
  return { choice: undefined, local: toLocalValue(new Date(expireTime)) }
}
