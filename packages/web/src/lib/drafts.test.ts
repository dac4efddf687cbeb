import { expect, test, vi } from 'vitest'
import { forgetDraft, keepDraft, nameDraft, readDraft } from './drafts.ts'
import { readSession } from './session.ts'

test('what was typed since a text was sent is not forgotten with it', () => {
  const key = nameDraft(readSession(), 'comment:7')
  keepDraft(key, 'Sent. And more')
  forgetDraft('comment:7', 'Sent.')
  expect(readDraft(key)).toBe('Sent. And more')
  forgetDraft('comment:7', 'Sent. And more')
  expect(readDraft(key)).toBe('')
})

test('what the browser has no room for stands on the screen all the same', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  const key = nameDraft(readSession(), 'comment:7')
  keepDraft(key, 'Long')
  expect(readDraft(key)).toBe('Long')
  full.mockRestore()
  log.mockRestore()
  keepDraft(key, '')
  expect(readDraft(key)).toBe('')
})
