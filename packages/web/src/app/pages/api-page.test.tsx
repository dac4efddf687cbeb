import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { goBack, openApp, readPath } from '../../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'

// The test environment lays nothing out, so it cannot scroll.
const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

/** Opens a call on the page. @returns what it holds. */
async function openCall(person: ReturnType<typeof openApp>, name: string) {
  const heading = await screen.findByRole('heading', { level: 3, name })
  const entry = heading.closest('details')!
  if (!entry.open) await person.click(heading)
  return within(entry)
}

test('the reference is open to everyone, lists every call, and is searched by word', async () => {
  await useRealServer()
  const person = openApp('/api')
  const count = (await screen.findAllByRole('heading', { level: 3 })).length
  expect(count).toBeGreaterThan(25)
  await person.type(screen.getByRole('textbox', { name: /^Search by path/ }), 'own_collection')
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(6)
  expect(screen.getByText('Calls shown: 6')).toBeDefined()
  await person.type(screen.getByRole('textbox', { name: /^Search by path/ }), ' zebra')
  expect(screen.getByText('No call matches')).toBeDefined()
})

test('an opened call shows its parameters, body, answers, refusals and an example', async () => {
  await useRealServer()
  const person = openApp('/api')
  const call = await openCall(person, 'POST /admin/{id}/approve/')
  expect(call.getByRole('table', { name: /^Body of POST/ }).textContent).toContain('expire_time')
  expect(call.getByText('202')).toBeDefined()
  expect(call.getByText('collection_not_reviewable')).toBeDefined()
  expect(call.getByRole('button', { name: /^Copy the example/ })).toBeDefined()
  expect(call.getByText(/^curl/).textContent).toContain('$ACCESS')
})

test('a link to one call opens it', async () => {
  await useRealServer()
  openApp('/api#showInstance')
  expect((await screen.findByText(/^curl '.*instance\/'$/)).closest('details')!.id).toBe('showInstance')
})

test('a link to another call opens that one too, whatever is searched for', async () => {
  await useRealServer()
  openApp('/api?search=own_collection#showInstance', ['/api?search=zebra#createCollection'])
  await screen.findByText(/^curl '.*instance\/'$/)
  goBack()
  expect((await screen.findByText(/^curl .*\/collections\/'/)).closest('details')!.id).toBe('createCollection')
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1)
})

test('the search stands in the address, so that it is there again after reloading', async () => {
  await useRealServer()
  const person = openApp('/api')
  const search = { name: /^Search by path/ }
  await person.type(await screen.findByRole('textbox', search), 'own_collection')
  await waitFor(() => expect(readPath()).toBe('/api?search=own_collection'))
  cleanup()
  openApp('/api?search=own_collection')
  expect((await screen.findByRole<HTMLInputElement>('textbox', search)).value).toBe('own_collection')
  expect(screen.getByText('Calls shown: 6')).toBeDefined()
})

test.skipIf(!hasCurl)('the examples do what they show', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const person = openApp('/api')
  for (const [name, status] of [
    ['GET /instance/', '200'],
    ['POST /collections/', '201'],
    ['GET /collections/{id}', '200'],
    ['PATCH /collections/{id}/', '200'],
    ['POST /comments/', '201'],
    ['DELETE /collections/{id}/', '204'],
    ['POST /auth/login/', '400'],
  ] as const) {
    const curl = (await openCall(person, name)).getByText(/^curl/).textContent
    const { stdout } = await run('sh', ['-c', `${curl} -s -o /dev/null -w '%{http_code}'`], {
      env: { ...process.env, ACCESS: ada.access ?? '', no_proxy: '*' },
    })
    expect(stdout, name).toBe(status)
  }
})

test('without an answer the page says so and offers another try', async () => {
  await useRealServer()
  leaveServer()
  openApp('/api')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined()
})
