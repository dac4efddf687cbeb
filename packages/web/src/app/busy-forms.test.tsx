import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf, type TestServer } from '@proofdesk/server/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { call } from '../lib/call.ts'
import { endSession, readSession } from '../lib/session.ts'
import { renewAccess, restoreFromServer } from '../lib/session-calls.ts'
import { useGateway } from '../testing/gateway.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { makeCollection } from '../testing/made-collections.ts'
import { leaveServer, useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

interface Form {
  /** Numbers of the specification's items. */
  items: string
  /** On the button before, and while the answer is on its way (specification section 2). */
  button: string
  busy: string
  call: string
  path: string
  isSignedIn?: boolean
  fields: Record<string, string>
  /** What leads to the form. */
  prepare?: (server: TestServer, person: UserEvent) => Promise<void>
}

/** An account with two-factor on, whose password step is taken. */
async function takePasswordStep(server: TestServer, person: UserEvent): Promise<void> {
  await signIn('ada')
  const { secret } = await call(beginSetup, {})
  await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
  act(() => endSession())
  await fillIn(person, { Username: 'ada', Password: 'Secret1!' })
  await person.click(listButtons('Login')[0] as HTMLElement)
}

const FORMS: Form[] = [
  {
    items: '2.50 4.9',
    button: 'Login',
    busy: 'Loading...',
    call: 'POST /auth/login/',
    path: '/login',
    fields: { Username: 'ada', Password: 'Wrong1!' },
  },
  {
    items: '2.62 4.10',
    button: 'Register',
    busy: 'Registering...',
    call: 'POST /auth/register/',
    path: '/register',
    fields: {
      'First Name': 'Ada',
      'Last Name': 'L',
      Email: 'a@example.org',
      Username: 'ada',
      Password: 'Secret1!',
      'Confirm Password': 'Secret1!',
      'Phone Number': '+44 20 7946 0000',
    },
  },
  {
    items: '2.132',
    button: 'Verify Document',
    busy: 'Verifying...',
    call: 'GET /service-content-servers/get-pdfs/',
    path: '/service-content',
    fields: { 'Proof ID': 'x', Username: 'ada' },
  },
  {
    items: '6.6',
    button: 'Send',
    busy: 'Posting...',
    call: 'POST /comments/',
    path: '/content/1',
    isSignedIn: true,
    fields: { Comment: 'Here it is.' },
  },
  {
    items: '2.129',
    button: 'Send',
    busy: 'Posting...',
    call: 'POST /conversation/',
    path: '/ticket',
    isSignedIn: true,
    fields: { Message: 'Where is it?' },
    prepare: async (_server, person) => person.click(await screen.findByRole('button', { name: 'Lost seal' })),
  },
  {
    items: '2.55',
    button: 'Verify 2FA',
    busy: 'Verifying...',
    call: 'POST /g2fa/gfa_verify/',
    path: '/login',
    fields: { '2FA code': '000000' },
    prepare: takePasswordStep,
  },
]

const fillIn = async (person: UserEvent, fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await person.type(await screen.findByLabelText(label), text)
}
const listButtons = (name: string) => screen.queryAllByRole('button', { name }).filter((one) => !one.closest('header'))

/** Twice in one tick, before anything on the screen had a chance to change. */
function submitTwice(button: HTMLElement | undefined): void {
  const form = button?.closest('form')
  act(() => {
    form?.requestSubmit()
    form?.requestSubmit()
  })
}

test.each(FORMS)('$items $button on $path says $busy while it is busy, and is sent once', async (form) => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await makeCollection(ada, 'Degree', 0)
  await ada.post('/ticket/', { title: 'Lost seal' })
  const gateway = await useGateway()
  const person = form.isSignedIn ? await openAs('ada', form.path) : openApp(form.path)
  await form.prepare?.(server, person)
  await fillIn(person, form.fields)
  gateway.trouble(form.call, 'late')
  const before = gateway.calls.length
  submitTwice(listButtons(form.button)[0])
  const busy = await screen.findByRole('button', { name: form.busy })
  expect(listButtons(form.button)).toEqual([])
  await person.click(busy)
  await person.type(screen.getByLabelText(Object.keys(form.fields)[0] ?? ''), '{Enter}')
  gateway.release()
  await waitFor(() => expect(screen.queryByRole('button', { name: form.busy })).toBeNull())
  expect(gateway.calls.slice(before).filter((name) => name === form.call)).toHaveLength(1)
})

test('4.11 Reset Password is sent once, however often it is pressed', async () => {
  await useRealServer()
  const gateway = await useGateway()
  const person = openApp('/login')
  await person.click(await screen.findByRole('button', { name: 'Reset it' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Password' }))
  await person.click(dialog.getByRole('button', { name: 'Reset Password' }))
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Email')))
  await person.type(dialog.getByLabelText('Email'), 'ada@example.org')
  gateway.trouble('POST /password/reset/', 'late')
  const button = dialog.getByRole('button', { name: 'Reset Password' })
  submitTwice(button)
  await person.click(button)
  await person.type(dialog.getByLabelText('Email'), '{Enter}')
  // What is under way is answered here.
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Reset Password' })).toBeDefined()
  gateway.release()
  await screen.findByRole('alertdialog', { name: 'Successfully!' })
  expect(gateway.calls.filter((name) => name === 'POST /password/reset/')).toHaveLength(1)
})

test('2.49 5.6 sign-in needs a username and a password, and nothing is sent without them', async () => {
  await useRealServer()
  const gateway = await useGateway()
  const person = openApp('/login')
  await screen.findByLabelText('Username')
  await person.click(listButtons('Login')[0] as HTMLElement)
  expect(await screen.findAllByText('This field is required.')).toHaveLength(2)
  expect(gateway.calls).not.toContain('POST /auth/login/')
})

test('8.2 a sign-in that gets no answer says so under Wrong!', async () => {
  await useRealServer()
  const person = openApp('/login')
  await fillIn(person, { Username: 'ada', Password: 'Secret1!' })
  leaveServer()
  await person.click(listButtons('Login')[0] as HTMLElement)
  const dialog = await screen.findByRole('alertdialog', { name: 'Wrong!' })
  expect(dialog.textContent).toContain('The server does not answer.')
})

test('2.131 5.5 5.29 e-mail fields use the e-mail input type, and the verification demands both fields', async () => {
  await useRealServer()
  openApp('/register')
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).type).toBe('email')
  openApp('/service-content')
  expect((await screen.findByLabelText<HTMLInputElement>('Proof ID')).required).toBe(true)
  expect(screen.getAllByLabelText<HTMLInputElement>('Username').at(-1)?.required).toBe(true)
})

test('8.12 without a stored token there is no refresh', async () => {
  await useRealServer()
  localStorage.clear()
  await expect(renewAccess(null)).rejects.toThrow('No refresh token available')
})

test('4.7 8.13 a refresh answer without an access token is refused', async () => {
  const server = await useRealServer()
  const { refresh } = await server.signIn('ada')
  const gateway = await useGateway()
  gateway.trouble('POST /token/refresh/', 'garbled')
  localStorage.setItem('refresh', refresh ?? '')
  await expect(renewAccess(null)).rejects.toThrow('No access token in refresh response')
  await restoreFromServer()
  expect(readSession().phase).toBe('signed-out')
  expect(localStorage.getItem('refresh')).toBeNull()
})
