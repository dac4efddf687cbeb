import { expect, test } from 'vitest'
import { readListState, toListQuery, writeListState } from './list-state.ts'

test('whatever in the address means nothing is taken as not given', () => {
  const address = new URLSearchParams('status=deleted&page=-3&ordering=password&search=a')
  expect(readListState(address)).toEqual({ status: undefined, search: 'a', page: 1, ordering: undefined })
})

test('a state comes back from its address', () => {
  const state = { status: 'answered', search: 'a&b=c', page: 3, ordering: '-expire_time' } as const
  expect(readListState(new URLSearchParams(writeListState(state).toString()))).toEqual(state)
})

test('4.29 a tile sends the parameters of the specification and its status', () => {
  const query = toListQuery({ status: 'answered', search: ' ', page: 1, ordering: undefined })
  expect(query).toEqual({
    page: '1',
    status: 'answered',
    is_active: 'true',
    is_locked: 'false',
    exlude_admin_desc: 'Admin Not approve yet',
  })
})
