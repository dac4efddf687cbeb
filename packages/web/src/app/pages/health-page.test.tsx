import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthReport } from '@proofdesk/contract/health'
import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { openAs } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test('17.8 the health page says of each part what is wrong, and where to go on', async () => {
  const server = await useRealServer({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
  await server.createUser({ username: 'sue', is_superuser: true })
  const una = await server.signIn('una', { verified: false })
  await una.post('/profile/resend_verification_email/')
  await server.settle()
  await openAs('sue', '/health')
  await screen.findByText(/SQLite answered in \d+ ms/)
  expect(screen.getAllByText('Well').length).toBe(7)
  // Virus scanner, backup and time from outside.
  expect(screen.getAllByText('Not set').length).toBe(3)
  expect(screen.getAllByText('To be watched').length).toBe(2)
  expect(screen.getByText('1 waiting, 1 of them failed before: the mail screen says why.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Open the mail screen' }).getAttribute('href')).toBe('/mail')
})

test('17.8 a database that is slow and one whose clock is off are told apart', async () => {
  const server = await useRealServer()
  const sue = await server.signIn('sue', { is_superuser: true })
  const report = (await sue.get('/health/')).json() as HealthReport
  const gateway = await useGateway()
  const answer = (database: Partial<HealthReport['database']>) =>
    gateway.trouble(
      'GET /health/',
      'garbled',
      JSON.stringify({ ...report, database: { state: 'watch', engine: 'postgres', ...database } }),
    )
  answer({ answered_in_ms: 1200, clock_ahead_ms: 3 })
  await openAs('sue', '/health')
  await screen.findByText(/^PostgreSQL answered in 1200 ms. That is slow, /)
  expect(screen.queryByText(/Its clock/)).toBeNull()
  cleanup()
  answer({ answered_in_ms: 2, clock_ahead_ms: -7000 })
  await openAs('sue', '/health')
  await screen.findByText(/^PostgreSQL answered in 2 ms. Its clock and that of this server are 7 s apart/)
})

test('17.8 mails that nobody receives are not called well on an installation of one machine', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  await openAs('sue', '/health')
  const words = await screen.findByText(/^There is no mail server/)
  expect(words.closest('li')?.textContent).toMatch(/^MailNot set/)
})

test('20.12 the health page says that no virus scanner is set', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  await openAs('sue', '/health')
  await screen.findByText('Not set: uploads are not scanned. CLAMD names a scanner.')
})

test('20.12 the health page says that the virus scanner does not answer', async () => {
  const server = await useRealServer({ config: { clamd: { host: '127.0.0.1', port: 1 } } })
  await server.createUser({ username: 'sue', is_superuser: true })
  await openAs('sue', '/health')
  await screen.findByText('It does not answer: no file can be uploaded until it does.')
})

test('18.40 the health page says since when a first daily backup is due', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  server.config.backupDir = '/somewhere'
  const state = {
    due_since: server.clock.now() - 3 * 24 * 60 * 60_000,
    tried_at: null,
    saved_at: null,
    drilled_at: null,
    problem: null,
  }
  await server.deps.db
    .insertInto('instance')
    .values({ name: 'backup_state', value: JSON.stringify(state) })
    .execute()
  await openAs('sue', '/health')
  await screen.findByText(/None has come about yet. The first one was due/)
})

test('17.8 files that are spoiled are named on the health page, with the way to their collection', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await makeApprovedCollection(ada, sam, 'Lease')
  const { db } = server.deps
  const { id, collection_id: collection } = await db
    .selectFrom('proofs')
    .select(['id', 'collection_id'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('file_problems')
    .values({ proof_id: id, found_at: 1, told: 'altered, seal seal_digest' })
    .execute()
  for (const kind of ['original', 'review_document'] as const)
    await db
      .insertInto('spoiled_files')
      .values({
        key: kind,
        kind,
        collection_id: collection ?? 0,
        found_at: 1,
        told: kind === 'original' ? 'missing' : 'altered',
      })
      .execute()
  await openAs('sue', '/health')
  await screen.findByText('Broken')
  expect(
    screen.getByText(
      'Not as they were stored, or not what was approved: 3. They are sent to nobody; npm run admin -- mend puts them back from a backup.',
    ),
  ).toBeDefined()
  const ways = screen.getAllByRole('link', { name: 'Lease' }).map((link) => link.getAttribute('href'))
  expect(ways).toEqual(Array(3).fill(`/content/${collection}`))
  expect(screen.getByText('altered, seal seal_digest')).toBeDefined()
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows.some((row) => row.includes('Original') && row.includes('It is missing.'))).toBe(true)
  expect(rows.some((row) => row.includes('Review document') && row.includes('It was altered.'))).toBe(true)
})

test('17.18 the health page says who vouches for times, how long certificates and keys last, and which version runs', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sue', is_superuser: true })
  await server.deps.db
    .insertInto('nodes')
    .values({ id: 'another', version: '0.0.9', seen_at: server.clock.now() })
    .execute()
  await openAs('sue', '/health')
  await screen.findByText(/^Nobody outside vouches for times: .*asks no time-stamping authority/)
  expect(screen.getByText(/^The certificates hold, and every key is where it belongs/)).toBeDefined()
  const facts = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(facts.some((fact) => /^Document signing \(.+\), holds from .+ until .+$/.test(fact))).toBe(true)
  expect(facts.some((fact) => fact.startsWith('Codes on paper: '))).toBe(true)
  expect(screen.getByText(/^Processes of different versions serve this database \(0\.0\.9 \(1\), /)).toBeDefined()
  expect(screen.getByText(/^To look at after taking /)).toBeDefined()
})

test('17.18 the health page says which witness did not sign and why, and that a key is gone', async () => {
  const line = 'witness w w.example/w+368c1dd3+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH http://127.0.0.1:1'
  const server = await useRealServer({ config: { witnessPolicy: `${line}\nquorum w\n` } })
  await server.createUser({ username: 'sue', is_superuser: true })
  await server.deps.log.sign()
  await server.deps.log.gather()
  await rm(join(server.config.keysDir, 'paper.key.pem'))
  await openAs('sue', '/health')
  await screen.findByText(
    /^w\.example\/w: has signed nothing yet\. Asked again, it did not sign: nothing answers there\.$/,
  )
  expect(screen.getByText(/^\d+ entries of the log wait for the signatures of enough witnesses/)).toBeDefined()
  expect(screen.getByText(/^A key is gone from KEYS_DIR/)).toBeDefined()
  expect(screen.getByText('Codes on paper: gone')).toBeDefined()
})

test('17.1 nobody but a superuser sees how the parts are', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  const gateway = await useGateway()
  await openAs('sam', '/health')
  await screen.findByText('You do not have permission to view this page.')
  expect(gateway.calls.some((call) => call.includes('/health/'))).toBe(false)
})
