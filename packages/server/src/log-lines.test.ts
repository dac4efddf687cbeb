import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { AppError } from './errors.ts'
import { enqueue, HopelessWork } from './outbox/outbox.ts'
import { makeOutboxWorker } from './outbox/worker.ts'
import { startTestServer } from './testing.ts'
import { waitUntil } from './testing/wait-until.ts'

interface Documented {
  level: string
  fields: string[]
}

/** What docs/operate.md says of the lines of each event. */
async function readDocumented(): Promise<Map<string, Documented>> {
  const text = await readFile(join(import.meta.dirname, '../../../docs/operate.md'), 'utf8')
  const table = text.split('<!-- fields of lines')[1]?.split('<!-- end of fields -->')[0] ?? ''
  const rows = [...table.matchAll(/^\| `([^`]+)` +\| (\w+) +\| ([^|]+)\|/gm)]
  return new Map(
    rows.map(([, event = '', level = '', fields = '']) => [
      event,
      { level, fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => field) },
    ]),
  )
}

type Line = Record<string, unknown>

function checkError(error: unknown, depth = 0): void {
  const { name, message, code, stack, cause, ...rest } = error as Line
  assert.deepEqual([typeof name, typeof message, Object.keys(rest)], ['string', 'string', []])
  if (code !== undefined) assert.equal(typeof code, 'string')
  if (stack !== undefined) assert.ok(Array.isArray(stack) && stack.every((frame) => typeof frame === 'string'))
  if (cause !== undefined && depth < 5) checkError(cause, depth + 1)
}

test('17.28 a real line of each kind has the fields that docs/operate.md names, and no others', async (t) => {
  const documented = await readDocumented()
  const server = await startTestServer(t, 'sqlite')
  const { deps, logLines } = server
  const ada = await server.signIn('ada')
  const url = await server.listen()

  const broken = request(`${url}${API_BASE}/events/`, { headers: { authorization: `Bearer ${ada.access}` } })
  broken.on('error', () => {})
  broken.on('response', (answer) => {
    answer.on('error', () => {})
    broken.destroy()
  })
  broken.end()
  await waitUntil(() => logLines.some((line) => line.includes('request broke off')))

  await ada.get('/collections/')
  // An outage, a fault, and work that fails now or for ever.
  deps.blobs.freeBytes = () => Promise.reject(new AppError('storage_unavailable', { cause: new Error('EIO "secret"') }))
  const { id } = (await ada.post('/collections/', { title: 'Degree' })).json()
  await deps.db.schema.dropTable('comments').execute()
  await ada.post('/comments/', { collection: id, text: 'Why?' })
  deps.db.selectFrom = () => {
    throw new AppError('database_unavailable', { cause: new Error('gone') })
  }
  await ada.post('/ticket/', { title: 'Help', description: 'Please' })
  // @ts-expect-error -- back to the method of its class
  delete deps.db.selectFrom
  for (const kind of ['test-later', 'test-never']) await enqueue(deps.db, deps.now(), { kind, payload: {} })
  const worker = makeOutboxWorker(deps)
  const handle = (kind: string, fail: () => Error) => ({ of: { kind, atOnce: 1 }, run: () => Promise.reject(fail()) })
  await worker.start([
    handle('test-later', () => Object.assign(new Error('for ada@example.org'), { code: 'ECONNREFUSED' })),
    handle('test-never', () => new HopelessWork('no such address')),
  ])
  await waitUntil(() => logLines.some((line) => line.includes('given up')))
  await worker.close()

  const lines = logLines.map((line) => JSON.parse(line) as Line)
  for (const [event, { level, fields }] of documented) {
    const found = lines.filter((line) => line['event'] === event && line['level'] === level)
    assert.ok(found.length > 0, `no line "${event}" at ${level}`)
    for (const line of found)
      assert.deepEqual(Object.keys(line).toSorted(), ['time', 'level', 'event', ...fields].toSorted(), event)
  }
  assert.equal(documented.size, 6)
  for (const line of lines) {
    assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(['error', 'warn', 'info', 'debug'].includes(String(line['level'])))
    if (line['error'] !== undefined) checkError(line['error'])
  }
  assert.doesNotMatch(logLines.join(''), /secret|ada@example|Degree|Why\?/)
})
