import { RevocationReason } from '@proofdesk/contract/proof-verdict'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { SelectField } from '../../ui/text-field.tsx'
import { NoteField } from './note-field.tsx'
import { ProofForm } from './proof-form.tsx'
import { sayReason } from '../../lib/revocation-words.ts'
import type { ProofFormProps } from './use-proof-form.ts'

/** Asks why, for everybody and for staff. */
export function RevokeForm({ note, setNote, send, isPending, problem, leave }: ProofFormProps) {
  const [reason, setReason] = useState<RevocationReason>()
  const [faults, setFaults] = useState<{ reason?: string; note?: string }>({})

  function submit() {
    const isUnsaid = reason === 'other' && note.trim() === ''
    setFaults({
      ...(reason === undefined && { reason: m.revocation_reason_unknown() }),
      ...(isUnsaid && { note: m.private_text_required() }),
    })
    if (reason !== undefined && !isUnsaid) send({ reason, text: note })
  }

  return (
    <ProofForm
      action={m.proof_revoke_action()}
      kind="danger"
      busy={isPending}
      problem={problem}
      onLeave={leave}
      onSubmit={submit}
    >
      <SelectField
        label={m.proof_reason()}
        hint={m.proof_reason_hint()}
        required
        value={reason ?? ''}
        error={faults.reason}
        onChange={({ target }) => {
          setReason(RevocationReason.options.find((option) => option === target.value))
          setFaults({})
        }}
      >
        <option value="">{m.proof_reason_choose()}</option>
        {RevocationReason.options.map((option) => (
          <option key={option} value={option}>
            {sayReason(option)}
          </option>
        ))}
      </SelectField>
      <NoteField note={note} error={faults.note} required={reason === 'other'} onNote={setNote} />
    </ProofForm>
  )
}
