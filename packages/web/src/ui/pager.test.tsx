import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Pager } from './pager.tsx'

function Pages({ onPage }: { onPage: (page: number) => void }) {
  const [page, setPage] = useState(1)
  return <Pager page={page} pages={2} onPage={(next) => (setPage(next), onPage(next))} />
}

test('a button that leads nowhere is no stop of the Tab key', async () => {
  render(<Pages onPage={() => {}} />)
  const person = userEvent.setup()
  const [previous, next] = screen.getAllByRole('button')
  await person.tab()
  expect(document.activeElement).toBe(next)
  await person.keyboard('{Enter}')
  await screen.findByText('Page 2 of 2')
  await person.tab({ shift: true })
  expect(document.activeElement).toBe(previous)
  await person.tab()
  expect(document.activeElement).toBe(document.body)
})

test('whoever leafs to the last page by keyboard is still on Next, which leads no further', async () => {
  const pages: number[] = []
  render(<Pages onPage={(page) => void pages.push(page)} />)
  const person = userEvent.setup()
  const [previous, next] = screen.getAllByRole<HTMLButtonElement>('button')
  expect(previous?.getAttribute('aria-disabled')).toBe('true')
  next?.focus()
  await person.keyboard('{Enter}')
  await screen.findByText('Page 2 of 2')
  // A browser takes the focus away from a button that is disabled.
  expect(next?.disabled).toBe(false)
  expect(next?.getAttribute('aria-disabled')).toBe('true')
  expect(previous?.hasAttribute('aria-disabled')).toBe(false)
  expect(document.activeElement).toBe(next)
  await person.keyboard('{Enter}')
  expect(pages).toEqual([2])
})
