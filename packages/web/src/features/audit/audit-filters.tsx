import { listAudit } from '@proofdesk/contract/audit'
import { AUDIT_ACTIONS, AUDIT_OBJECTS } from '@proofdesk/contract/audit-actions'
import { useCallback } from 'react'
import { useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import { sayAction, sayObject } from './audit-words.ts'
import type { AuditListState } from './list-state.ts'

export interface AuditFiltersProps {
  state: AuditListState
  onChange: (changes: Partial<AuditListState>, replace?: boolean) => void
}

/** Which entries are shown. Each change leads back to the newest. */
export function AuditFilters({ state, onChange }: AuditFiltersProps) {
  const { action, object } = listAudit.query.shape
  const search = useCallback((actor: string) => onChange({ actor, before: '' }, true), [onChange])
  const [text, setText] = useSearchText(state.actor, search)
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-x-4 gap-y-3 border-b border-line p-4">
      <legend className="sr-only">{m.audit_filters()}</legend>
      <TextField label={m.audit_actor()} value={text} onChange={({ target }) => setText(target.value)} dir="auto" />
      <SelectField
        label={m.audit_action()}
        value={state.action ?? ''}
        onChange={({ target }) => onChange({ action: action.safeParse(target.value).data, before: '' })}
      >
        <option value="">{m.audit_any()}</option>
        {AUDIT_ACTIONS.map((name) => (
          <option key={name} value={name}>
            {sayAction(name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={m.audit_object()}
        value={state.object ?? ''}
        onChange={({ target }) => onChange({ object: object.safeParse(target.value).data, before: '' })}
      >
        <option value="">{m.audit_any()}</option>
        {AUDIT_OBJECTS.map((kind) => (
          <option key={kind} value={kind}>
            {sayObject(kind)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={m.audit_collection()}
        inputMode="numeric"
        value={state.collection}
        onChange={({ target }) => onChange({ collection: target.value.replace(/\D/g, ''), before: '' }, true)}
      />
      <TextField
        label={m.audit_from()}
        type="date"
        value={state.from}
        onChange={({ target }) => onChange({ from: target.value, before: '' })}
      />
      <TextField
        label={m.audit_to()}
        type="date"
        value={state.to}
        onChange={({ target }) => onChange({ to: target.value, before: '' })}
      />
    </fieldset>
  )
}
