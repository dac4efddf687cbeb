import { expect, test, vi } from 'vitest'
import { clearDrafts, forgetDraft, keepDraft, nameDraft, nameSending, readDraft } from './drafts.ts'
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

test('24.13 a draft is sent under one name until it changes, is sent or is forgotten', () => {
  const key = nameDraft(readSession(), 'comment:7')
  const named = new Set<string>()
  const expectAnew = () => {
    const name = nameSending(key)
    expect(named).not.toContain(name)
    expect(nameSending(key)).toBe(name)
    named.add(name)
  }
  keepDraft(key, 'Here')
  expectAnew()
  keepDraft(key, 'Here it is')
  keepDraft(key, 'Here')
  expectAnew()
  forgetDraft('comment:7', 'Here')
  expectAnew()
  clearDrafts()
  expectAnew()
  expect(nameSending(nameDraft(readSession(), 'comment:8'))).not.toBe(nameSending(key))
  clearDrafts()
  expect(sessionStorage.length).toBe(0)
})

test('24.12 a draft keeps its name also where the browser has no room for it', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  const key = nameDraft(readSession(), 'comment:7')
  const name = nameSending(key)
  expect(nameSending(key)).toBe(name)
  keepDraft(key, '')
  expect(nameSending(key)).not.toBe(name)
  full.mockRestore()
  log.mockRestore()
  clearDrafts()
})
