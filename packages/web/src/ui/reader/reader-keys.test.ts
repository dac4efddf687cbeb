import { expect, test } from 'vitest'
import { commandOf, type PressedKey } from './reader-keys.ts'

const NONE = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (key: string, held: Partial<PressedKey> = {}) => ({ key, ...NONE, ...held })

test.each([
  [press('f', { ctrlKey: true }), 'find'],
  [press('f', { metaKey: true }), 'find'],
  [press('а', { ctrlKey: true, code: 'KeyF' }), 'find'],
  [press('п', { ctrlKey: true, code: 'KeyG' }), 'find-next'],
  [press('F3'), 'find-next'],
  [press('F3', { shiftKey: true }), 'find-previous'],
  [press('+', { shiftKey: true }), 'zoom-in'],
  [press('='), 'zoom-in'],
  [press('-'), 'zoom-out'],
  [press('0'), 'zoom-width'],
  [press('PageDown'), 'next-page'],
  [press('ArrowLeft'), 'previous-page'],
  [press('Home'), 'first-page'],
  [press('End'), 'last-page'],
])('%j is %s', (pressed, command) => {
  expect(commandOf(pressed, false)).toBe(command)
})

test('2.145 what the browser does with a key stays its own: its zoom, scrolling by arrows, whatever comes with Alt', () => {
  for (const pressed of [
    press('+', { ctrlKey: true }),
    press('0', { metaKey: true }),
    press('ArrowDown'),
    press('ArrowLeft', { altKey: true }),
    press('PageDown', { altKey: true }),
    press('f'),
  ])
    expect(commandOf(pressed, false)).toBeUndefined()
})

test('in a field letters, digits and arrows write', () => {
  for (const key of ['+', '-', '0', 'Home', 'End', 'ArrowLeft']) expect(commandOf(press(key), true)).toBeUndefined()
  expect(commandOf(press('f', { ctrlKey: true }), true)).toBe('find')
})
