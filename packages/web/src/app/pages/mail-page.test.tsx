import type { TestServer } from '@proofdesk/server/testing'
import { startNameServer } from '@proofdesk/server/testing/name-server'
import { screen, waitFor, within } from '@testing-library/react'
import { Resolver } from 'node:dns/promises'
import { expect, onTestFinished, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

/** Nobody listens there. */
const NO_SERVER = 'smtp://desk:s3cr3t@127.0.0.1:1'

async function makeMailFail(server: TestServer): Promise<void> {
  const una = await server.signIn('una', { verified: false })
  await una.post('/profile/resend_verification_email/')
  await server.settle()
}

test('2.141 a superuser sees which mails keep failing, why, and the mail server without its password', async () => {
  const server = await useRealServer({ config: { smtpUrl: NO_SERVER } })
  await server.createUser({ username: 'sue', is_superuser: true })
  await makeMailFail(server)
  await openAs('sue', '/mail')
  const row = (await screen.findByText('Verification of an address')).closest('tr')
  expect(row?.textContent).toContain('una')
  expect(row?.textContent).toContain('The mail server cannot be reached.')
  expect(screen.getByText('smtp://127.0.0.1:1')).toBeDefined()
  expect(screen.getByText('1, of which 1 failed before')).toBeDefined()
  expect(screen.getByText('None yet')).toBeDefined()
  expect(document.body.textContent).not.toContain('s3cr3t')
})

test('2.141 the screen follows what happens while it is open', { timeout: 30_000 }, async () => {
  const server = await useRealServer({ config: { smtpUrl: NO_SERVER } })
  await server.createUser({ username: 'sue', is_superuser: true })
  await openAs('sue', '/mail')
  await screen.findByText('No mail is stuck')
  await makeMailFail(server)
  await screen.findByText('Verification of an address', {}, { timeout: 15_000 })
  expect(screen.queryByText('No mail is stuck')).toBeNull()
})

test('2.142 a test mail that cannot be sent says so and why; the waiting ones can be tried again', async () => {
  const server = await useRealServer({ config: { smtpUrl: NO_SERVER } })
  await server.createUser({ username: 'sue', is_superuser: true })
  await makeMailFail(server)
  const person = await openAs('sue', '/mail')
  await person.click(await screen.findByRole('button', { name: 'Send a test mail' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The test mail to sue@example.org could not be sent.')
  expect(alert.textContent).toContain('The mail server cannot be reached.')
  await person.click(screen.getByRole('button', { name: 'Try all again now' }))
  await screen.findByText('They are being tried again now.')
  await waitFor(async () => {
    const row = await server.deps.db.selectFrom('outbox').select('attempts').executeTakeFirst()
    expect(row?.attempts).toBeGreaterThan(1)
  })
})

test('8.86 the mail screen looks the records up, and shows the line to publish', async () => {
  const dns = await startNameServer({ after: (end) => onTestFinished(end) }, { 'example.org': ['v=spf1 mx -all'] })
  const server = await useRealServer({ config: { mailFrom: { name: '', address: 'desk@example.org' } } })
  server.deps.openResolver = () => {
    const resolver = new Resolver()
    resolver.setServers([dns.address])
    return resolver
  }
  await server.createUser({ username: 'sue', is_superuser: true })
  const person = await openAs('sue', '/mail')
  const button = await screen.findByRole('button', { name: 'Look the records up' })
  expect(dns.asked).toEqual([])
  await person.click(button)
  const rows = within(await screen.findByRole('list', { name: 'Whether receivers believe our mails' }))
  const [spf, dkim, dmarc] = rows.getAllByRole('listitem').map((row) => row.textContent)
  expect(spf).toMatch(/SPF.*example\.org.*It fits\..*v=spf1 mx -all/)
  expect(dkim).toContain('Mails are not signed')
  expect(dmarc).toContain('There is none.')
  rows.getByText('_dmarc.example.org. IN TXT "v=DMARC1; p=none"')
  rows.getByRole('button', { name: 'Copy the line for DMARC' })
})

test('2.141 without a mail server the screen says that nobody receives anything, and a test mail is a file', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  const person = await openAs('sue', '/mail')
  await screen.findByText('No mail is stuck')
  expect(screen.getByText(/no mail server is set, nobody receives anything/)).toBeDefined()
  await person.click(screen.getByRole('button', { name: 'Send a test mail' }))
  await screen.findByText('sue@example.org')
  expect((await server.mails()).map(({ subject }) => subject)).toEqual(['Test mail from Test Registry'])
})

test('2.142 Send a test mail says Sending... while it is busy, and is sent once', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  await signIn('sue')
  const gateway = await useGateway()
  const person = openApp('/mail')
  gateway.trouble('POST /mail/test/', 'late')
  await person.dblClick(await screen.findByRole('button', { name: 'Send a test mail' }))
  await person.click(await screen.findByRole('button', { name: 'Sending...' }))
  gateway.release()
  await screen.findByText('sue@example.org')
  expect(gateway.calls.filter((name) => name === 'POST /mail/test/')).toHaveLength(1)
})

test('a state of mail that cannot be loaded says so and can be asked for again', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  await signIn('sue')
  leaveServer()
  openApp('/mail')
  await screen.findByText('Failed to load the state of mail. Please try again.', {}, { timeout: 10_000 })
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test.each([
  ['ada', {}],
  ['sam', { is_staff: true }],
  ['amy', { is_admin: true }],
])('2.140 %s may not see the state of mail: they are told so and redirected to /dashboard', async (username, flags) => {
  const server = await useRealServer()
  await server.createUser({ username, ...flags })
  await openAs(username, '/mail')
  await screen.findByText('You do not have permission to view this page.')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(screen.queryByRole('link', { name: 'Mail' })).toBeNull()
})

test('2.140 a superuser finds the way to Mail in the sidebar', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  const person = await openAs('sue', '/dashboard')
  const sidebar = (await screen.findAllByRole('navigation', { name: 'Main' }))[0] as HTMLElement
  await person.click(within(sidebar).getByRole('link', { name: 'Mail' }))
  await screen.findByRole('heading', { name: 'Outgoing mail' })
})
