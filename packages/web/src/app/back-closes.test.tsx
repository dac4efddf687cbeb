import type { TestServer } from '@proofdesk/server/testing'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { makeCollection } from '../testing/made-collections.ts'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AppRouter } from './app-router.tsx'
import { App } from './app.tsx'

// The history is the browser’s own here.

afterEach(() => window.history.replaceState(null, '', '/'))

function openAt(...paths: string[]) {
  paths.forEach((path, idx) => window.history.pushState({ idx, key: `at-${idx}` }, '', path))
  render(
    <AppRouter>
      <App />
    </AppRouter>,
  )
  return userEvent.setup()
}

const readLayer = () => (window.history.state as { layer?: number } | null)?.layer ?? 0
const isAtLayer = (layer: number) => waitFor(() => expect(readLayer()).toBe(layer))
const isAt = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))
const isClosed = (role = 'dialog') => waitFor(() => expect(screen.queryByRole(role)).toBeNull())

async function openCollections(server: TestServer) {
  await makeCollection(await server.signIn('ada'), 'Degree', 1)
  await signIn('ada')
  const person = openAt('/about', '/collection')
  const menu = await screen.findByRole('button', { name: 'Options of Degree' })
  const openDialog = async () => {
    await person.click(menu)
    await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await screen.findByRole('dialog')
    await isAtLayer(1)
  }
  return { person, menu, openDialog }
}

test('2.181 Back closes a dialog and stays on the page; the next one leaves it', async () => {
  const { menu, openDialog } = await openCollections(await useRealServer())
  await openDialog()
  window.history.back()
  await isClosed()
  expect(window.location.pathname).toBe('/collection')
  await waitFor(() => expect(document.activeElement).toBe(menu))
  await isAtLayer(0)
  // Forward opens nothing, and leaves nothing behind.
  window.history.forward()
  await new Promise((resolve) => setTimeout(resolve, 200))
  await isAtLayer(0)
  window.history.back()
  await isAt('/about')
})

test('2.181 a dialog that is closed by itself leaves nothing in the history', async () => {
  const { person, menu, openDialog } = await openCollections(await useRealServer())
  await openDialog()
  await person.keyboard('{Escape}')
  await isClosed()
  await waitFor(() => expect(document.activeElement).toBe(menu))
  await isAtLayer(0)
  await openDialog()
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await isClosed()
  await isAtLayer(0)
  window.history.back()
  await isAt('/about')
})

test('2.181 Back answers a question with no', async () => {
  const { person, menu } = await openCollections(await useRealServer())
  await person.click(menu)
  await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await isAtLayer(1)
  window.history.back()
  await isClosed('alertdialog')
  expect(window.location.pathname).toBe('/collection')
  expect(await screen.findByRole('button', { name: 'Options of Degree' })).toBeDefined()
})

test('2.181 a screen that is opened from a layer is one step behind the one below', async () => {
  const { person } = await openCollections(await useRealServer())
  await person.keyboard('{Control>}k{/Control}')
  await isAtLayer(1)
  await person.type(await screen.findByRole('combobox'), 'Profile{Enter}')
  await isAt('/profile')
  await screen.findByLabelText('First Name')
  expect(readLayer()).toBe(0)
  window.history.back()
  await isAt('/collection')
  await screen.findByRole('button', { name: 'Options of Degree' })
  window.history.back()
  await isAt('/about')
})

test('2.181 what a dialog changes about the entry of its screen does not stand behind it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const person = openAt('/about', '/ticket')
  await person.click(await screen.findByRole('button', { name: '+ Add Ticket' }))
  await isAtLayer(1)
  await person.type(await screen.findByLabelText('Title'), 'Lost seal{Enter}')
  await screen.findByLabelText('Message')
  await isClosed()
  expect(window.history.state).toMatchObject({ usr: { ticket: 1 } })
  expect(readLayer()).toBe(0)
  window.history.back()
  await isAt('/about')
})

test('2.181 of two dialogs Back closes the upper one, and one that is sending stays', async () => {
  const left: string[] = []
  const stacked = (open: string[]) => (
    <>
      {['lower', 'upper'].map((name) => (
        <Dialog key={name} open={open.includes(name)} onClose={() => left.push(name)} title={name} />
      ))}
    </>
  )
  window.history.pushState({ idx: 0 }, '', '/')
  const { rerender } = render(stacked(['lower', 'upper']))
  await isAtLayer(2)
  window.history.back()
  await waitFor(() => expect(left).toEqual(['upper']))
  // It was not closed by that: its entry comes back.
  await isAtLayer(2)
  window.history.back()
  await waitFor(() => expect(left).toEqual(['upper', 'upper']))
  rerender(stacked(['lower']))
  await isAtLayer(1)
  rerender(stacked([]))
  await isAtLayer(0)
})

test('2.181 a page that is loaded anew over the entry of a dialog goes back to that of the screen', async () => {
  await useRealServer()
  window.history.pushState({ idx: 0, key: 'a' }, '', '/about')
  window.history.pushState({ idx: 0, key: 'a', layer: 1 }, '', '/about')
  // A step of its own makes the layers look, as loading them does.
  const person = openAt()
  await person.click(await within(await screen.findByRole('contentinfo')).findByRole('link', { name: 'Terms' }))
  await isAt('/terms')
  window.history.back()
  await isAt('/about')
  expect(readLayer()).toBe(0)
})
