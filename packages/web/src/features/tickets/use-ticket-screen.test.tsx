import { act, renderHook } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { useTicketScreen } from './use-ticket-screen.ts'

test('a search that comes right after a tile was pressed keeps the tile, and the ticket that is chosen then keeps both', () => {
  const { result } = renderHook(() => ({ ...useTicketScreen(), at: useLocation().search }), { wrapper: MemoryRouter })
  const { change, choose } = result.current
  act(() => {
    change({ face: 'OPEN' })
    change({ search: 'ada' }, true)
    choose(7)
  })
  expect(result.current.at).toBe('?status=OPEN&search=ada')
  expect(result.current.chosen).toBe(7)
})
