import { screen } from '@testing-library/react'
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
  expect(screen.getAllByText('Well').length).toBe(6)
  expect(screen.getAllByText('To be watched').length).toBe(2)
  expect(screen.getByText('1 waiting, 1 of them failed before: the mail screen says why.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Open the mail screen' }).getAttribute('href')).toBe('/mail')
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
      'Not as they were stored, or not what was approved: 3. They are sent to nobody; restore them from a backup.',
    ),
  ).toBeDefined()
  const ways = screen.getAllByRole('link', { name: 'Lease' }).map((link) => link.getAttribute('href'))
  expect(ways).toEqual(Array(3).fill(`/content/${collection}`))
  expect(screen.getByText('altered, seal seal_digest')).toBeDefined()
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows.some((row) => row.includes('Original') && row.includes('It is missing.'))).toBe(true)
  expect(rows.some((row) => row.includes('Review document') && row.includes('It was altered.'))).toBe(true)
})

test('17.1 nobody but a superuser sees how the parts are', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  const gateway = await useGateway()
  await openAs('sam', '/health')
  await screen.findByText('You do not have permission to view this page.')
  expect(gateway.calls.some((call) => call.includes('/health/'))).toBe(false)
})
