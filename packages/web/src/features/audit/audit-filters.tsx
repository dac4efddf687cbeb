import { listAudit } from '@proofdesk/contract/audit'
import { AUDIT_ACTIONS, AUDIT_OBJECTS } from '@proofdesk/contract/audit-actions'
import { useCallback, useState } from 'react'
import { isUnfinished } from '../../lib/unfinished-days.ts'
import { useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { DateField } from '../../ui/date-field.tsx'
import { SelectField, TextField, type TextFieldProps } from '../../ui/text-field.tsx'
import { sayAction, sayObject } from './audit-words.ts'
import type { AuditListState } from './list-state.ts'

export interface AuditFiltersProps {
  state: AuditListState
  onChange: (changes: Partial<AuditListState>, replace?: boolean) => void
}

/** Long enough for the next digit of a year: until the last one, each makes a day of a year long ago. */
const DAY_PAUSE_MS = 1000
/** With more digits in the year it would be none that the address takes. */
const LAST_DAY = '9999-12-31'

/** Which entries are shown. Each change leads back to the newest. */
export function AuditFilters({ state, onChange }: AuditFiltersProps) {
  const { action, object } = listAudit.query.shape
  const typed = { state, onChange }
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-x-4 gap-y-3 border-b border-line p-4">
      <legend className="sr-only">{m.audit_filters()}</legend>
      <TypedFilter {...typed} name="actor" label={m.audit_actor()} dir="auto" />
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
      <TypedFilter
        {...typed}
        name="collection"
        label={m.audit_collection()}
        inputMode="numeric"
        maxLength={16}
        read={readId}
      />
      <DayFilter {...typed} name="from" label={m.audit_from()} />
      <DayFilter {...typed} name="to" label={m.audit_to()} />
    </fieldset>
  )
}

interface TypedFilterProps extends AuditFiltersProps, Omit<TextFieldProps, 'onChange'> {
  name: 'actor' | 'collection'
  /** What is kept of what was typed. */
  read?: (typed: string) => string
}

/** A filter that is typed: it counts after a pause, with Enter, or once it is left. */
function TypedFilter({ state, onChange, name, read = String, ...field }: TypedFilterProps) {
  const [text, setText, askNow] = useFilterText({ state, onChange, name })
  return (
    <TextField
      {...field}
      value={text}
      onChange={({ target }) => setText(read(target.value))}
      onBlur={askNow}
      onKeyDown={({ key }) => key === 'Enter' && askNow()}
    />
  )
}

interface DayFilterProps extends AuditFiltersProps {
  name: 'from' | 'to'
  label: string
}

/** A day to filter by. The one before stays in force until another is whole; what is left as no day is told. */
function DayFilter({ state, onChange, name, label }: DayFilterProps) {
  const [text, setText, askNow] = useFilterText({ state, onChange, name, pauseMs: DAY_PAUSE_MS })
  const [isTyping, setIsTyping] = useState(false)
  const [isFaulty, setIsFaulty] = useState(false)
  const take = (field: HTMLInputElement) => {
    setIsFaulty(isUnfinished(field))
    askNow()
  }
  return (
    <DateField
      label={label}
      type="date"
      max={LAST_DAY}
      value={isTyping ? '' : text}
      error={isFaulty ? m.birthdate_invalid() : undefined}
      onChange={({ target }) => {
        setIsTyping(isUnfinished(target))
        if (isUnfinished(target)) return
        setText(target.value)
        setIsFaulty(false)
      }}
      onBlur={({ currentTarget }) => take(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && take(currentTarget)}
    />
  )
}

interface FilterTextOptions extends AuditFiltersProps {
  name: TypedFilterProps['name'] | DayFilterProps['name']
  /** As of `useSearchText`. */
  pauseMs?: number
}

function useFilterText({ state, onChange, name, pauseMs }: FilterTextOptions) {
  const filter = useCallback((text: string) => onChange({ [name]: text, before: '' }, true), [name, onChange])
  return useSearchText(state[name], filter, pauseMs)
}

/** Nothing but the digits of an id, which begins with none that is 0. */
function readId(typed: string): string {
  return typed.replaceAll(/\D/g, '').replace(/^0+/, '')
}
