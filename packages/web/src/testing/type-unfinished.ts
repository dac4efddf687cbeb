import { fireEvent } from '@testing-library/react'

/** Types what is no whole day, as a browser has it: worth nothing, and an event only where there was a day before. */
export function typeUnfinished(field: HTMLElement): void {
  if (!(field instanceof HTMLInputElement)) throw new TypeError('This is no field.')
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput: true } })
  field.focus()
  fireEvent.keyDown(field, { key: '3' })
  if (field.value !== '') fireEvent.change(field, { target: { value: '' } })
  fireEvent.keyUp(field, { key: '3' })
}

/** Empties it again, which a browser tells of by keys alone. */
export function takeUnfinishedBack(field: HTMLElement): void {
  fireEvent.keyDown(field, { key: 'Backspace' })
  Reflect.deleteProperty(field, 'validity')
  fireEvent.keyUp(field, { key: 'Backspace' })
}
