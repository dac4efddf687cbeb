import { act, renderHook } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test, vi } from 'vitest'
import { useListAddress, useSearchText, type ListAddress } from './use-list-address.ts'

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

interface State {
  page: number
  actor: string
  action: string
}
const ADDRESS: ListAddress<State> = {
  read: (address) => ({
    page: Number(address.get('page') ?? 1),
    actor: address.get('actor') ?? '',
    action: address.get('action') ?? '',
  }),
  write: ({ page, ...filters }) => new URLSearchParams({ ...filters, page: String(page) }),
}

test('filters that are set one right after the other all count, and so does one that is set later', () => {
  const { result } = renderHook(() => ({ ...useListAddress(ADDRESS), at: useLocation().search }), {
    wrapper: MemoryRouter,
  })
  const { change } = result.current
  act(() => {
    change({ actor: 'ada' })
    change({ action: 'login' }, true)
    change({ page: 2 }, true)
  })
  expect(result.current.at).toBe('?actor=ada&action=login&page=2')
  act(() => result.current.change({ actor: '' }))
  expect(result.current.at).toBe('?actor=&action=login&page=1')
})
