import { PRIVATE_TEXT_MAX_LENGTH } from '@proofdesk/contract/limits'
import { m } from '../../paraglide/messages.js'
import { TextArea } from '../../ui/text-field.tsx'

export interface NoteFieldProps {
  note: string
  error?: string | undefined
  required?: boolean
  onNote: (note: string) => void
}

/** What only staff and superuser will read. */
export function NoteField({ note, error, required = false, onNote }: NoteFieldProps) {
  return (
    <TextArea
      label={m.proof_note()}
      hint={m.proof_note_hint()}
      required={required}
      maxLength={PRIVATE_TEXT_MAX_LENGTH}
      value={note}
      error={error}
      onChange={({ target }) => onNote(target.value)}
    />
  )
}
