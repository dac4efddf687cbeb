import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useSearchText } from './use-list-address.ts'

/** A search box whose address changes only when the test says so, as one does that waits for a slow screen. */
function openBox() {
  const asked: string[] = []
  const ask = (search: string) => void asked.push(search)
  const { result, rerender } = renderHook(({ search }) => useSearchText(search, ask), { initialProps: { search: '' } })
  return {
    asked,
    type: (text: string) => act(() => result.current[1](text)),
    commit: (search: string) => rerender({ search }),
    read: () => result.current[0],
  }
}

test('what is typed while the address takes over what was typed before stays in the box, and is searched for', async () => {
  const { asked, type, commit, read } = openBox()
  type('ab')
  await vi.waitFor(() => expect(asked).toEqual(['ab']))
  type('abc')
  commit('ab')
  expect(read()).toBe('abc')
  await vi.waitFor(() => expect(asked).toEqual(['ab', 'abc']))
  commit('abc')
  expect(read()).toBe('abc')
})

test('going back in the history brings the text of that search along, also one the box asked for earlier', async () => {
  const { asked, type, commit, read } = openBox()
  type('ab ')
  await vi.waitFor(() => expect(asked).toEqual(['ab']))
  commit('ab')
  expect(read()).toBe('ab ')
  commit('')
  expect(read()).toBe('')
  commit('ab')
  expect(read()).toBe('ab')
})
