import { useRef } from 'react'
import { addYears, readZone, toLocalValue, toUtc } from '../lib/local-time.ts'
import { isUnfinished } from '../lib/unfinished-days.ts'
import { m } from '../paraglide/messages.js'
import { DateField } from './date-field.tsx'

/** Terms that may be given with one choice: years, or for ever. */
export const EXPIRY_CHOICES = ['never', '1', '2', '5', '10'] as const
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number]

/** An expiry as it is being entered. */
export interface ExpiryEntry {
  /** Undefined while none of the terms is chosen. */
  choice: ExpiryChoice | undefined
  /** Value of the date field; empty for never, and while nothing was entered. */
  local: string
  /** Something stands in the date field that is no whole date and time. */
  isUnfinished?: boolean
}

/** @param now Where a term begins. */
export function enterChoice(choice: ExpiryChoice | undefined, now: Date): ExpiryEntry {
  const years = choice === undefined || choice === 'never' ? undefined : Number(choice)
  return { choice, local: years === undefined ? '' : toLocalValue(addYears(now, years)) }
}

/** @returns ISO 8601 in UTC, null for never, undefined when nothing was entered. */
export function readEntry({ choice, local }: ExpiryEntry): string | null | undefined {
  return choice === 'never' ? null : toUtc(local)
}

export interface ExpiryFieldsProps {
  entry: ExpiryEntry
  /** The first value the date field takes. */
  earliest: string
  error: string | undefined
  onChange: (entry: ExpiryEntry) => void
}

/** The usual terms, and a date for whatever else is meant. */
export function ExpiryFields({ entry, earliest, error, onChange }: ExpiryFieldsProps) {
  const field = useRef<HTMLInputElement>(null)

  function choose(term: ExpiryEntry) {
    // What is typed and not whole would stay beside a choice that it is no part of.
    if (field.current) field.current.value = ''
    onChange(term)
  }

  function type(target: HTMLInputElement) {
    const isPart = isUnfinished(target)
    if (target.value === entry.local && isPart === (entry.isUnfinished ?? false)) return
    // No date at all means never, as everywhere (specification section 5): the choice above says so.
    const choice = target.value === '' && !isPart ? 'never' : undefined
    onChange({ choice, local: target.value, isUnfinished: isPart })
  }

  return (
    <div className="grid gap-3">
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 text-[0.933rem] font-[560]">{m.review_expiry()}</legend>
        <div className="flex flex-wrap gap-1.5">
          {EXPIRY_CHOICES.map((choice) => (
            <label
              key={choice}
              className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-control border border-line px-2.5 hover:border-line-strong has-checked:border-brand has-checked:bg-brand-wash"
            >
              <input
                type="radio"
                name="expiry"
                required
                value={choice}
                checked={entry.choice === choice}
                onChange={() => choose(enterChoice(choice, new Date()))}
                className="accent-brand"
              />
              {sayChoice(choice)}
            </label>
          ))}
        </div>
      </fieldset>
      <DateField
        ref={field}
        label={m.review_expire_time()}
        hint={m.review_expire_hint({ zone: readZone() })}
        type="datetime-local"
        required={entry.choice !== 'never'}
        min={earliest}
        value={entry.local}
        error={error}
        onChange={({ target }) => type(target)}
      />
    </div>
  )
}

function sayChoice(choice: ExpiryChoice): string {
  if (choice === 'never') return m.review_no_expiry()
  return choice === '1' ? m.review_one_year() : m.review_years({ years: choice })
}

/** @returns what is wrong with it */
export function judgeExpiry(entry: ExpiryEntry): string | undefined {
  if (entry.isUnfinished) return m.review_expire_unfinished()
  const expireTime = readEntry(entry)
  if (expireTime === undefined) return m.review_expire_required()
  return expireTime !== null && Date.parse(expireTime) <= Date.now() ? m.expire_time_past() : undefined
}
