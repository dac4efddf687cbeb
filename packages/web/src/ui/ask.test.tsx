import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { askConfirm, showNotice } from './ask.ts'
import DialogHost from './dialog-host.tsx'

test('a second question of the same title comes in a dialog of its own, with the focus where each begins', async () => {
  const person = userEvent.setup()
  render(<DialogHost />)
  const given = { title: 'Delete this comment?', action: 'Delete', danger: true }
  const answers = [askConfirm({ ...given, text: 'The first' }), askConfirm({ ...given, text: 'The second' })]
  const first = await screen.findByRole('alertdialog')
  await waitFor(() => expect(first.contains(document.activeElement)).toBe(true))
  const begins = document.activeElement?.textContent
  await person.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText('The second')
  const second = screen.getByRole('alertdialog')
  expect(second).not.toBe(first)
  await waitFor(() => expect(second.contains(document.activeElement)).toBe(true))
  expect(document.activeElement?.textContent).toBe(begins)
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await Promise.all(answers)).toEqual([true, false])
})

test('a question goes with the person it was put to, a notice stays', async () => {
  const server = await useRealServer()
  for (const username of ['ada', 'bob']) await server.createUser({ username })
  await signIn('ada')
  render(<DialogHost />)
  const agreed = askConfirm({ title: 'Disable it?', action: 'Disable', danger: true })
  void showNotice({ title: 'It did not work' })
  await screen.findByRole('alertdialog', { name: 'Disable it?' })
  await act(() => signIn('bob'))
  await screen.findByRole('alertdialog', { name: 'It did not work' }, { timeout: 4000 })
  expect(await agreed).toBe(false)
})
