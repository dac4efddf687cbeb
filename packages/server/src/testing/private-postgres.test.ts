import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { askPostgres, findPostgresPrograms, startPrivatePostgres } from './private-postgres.ts'

const programs = findPostgresPrograms()
const skip = programs === undefined && 'PostgreSQL is not installed'
const PATIENCE_MS = 15_000

function folderOf(url: string): string {
  return new URL(url).searchParams.get('host') ?? assert.fail('no folder')
}

async function waitUntilGone(path: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; existsSync(path);) {
    assert.ok(Date.now() < end, `${path} is still there`)
    await pause(50)
  }
}

test('a private PostgreSQL that is stopped leaves neither a process nor a file', { skip }, async () => {
  const { url, stop } = await startPrivatePostgres(programs ?? '')
  await askPostgres(url, 'select 1')
  await stop()
  assert.equal(existsSync(folderOf(url)), false)
  await assert.rejects(askPostgres(url, 'select 1'))
})

for (const signal of ['SIGINT', 'SIGKILL'] as const)
  test(`a private PostgreSQL ends with the process that started it, also by ${signal}`, { skip }, async () => {
    const program = `
      import { findPostgresPrograms, startPrivatePostgres } from ${JSON.stringify(join(import.meta.dirname, 'private-postgres.ts'))}
      console.log((await startPrivatePostgres(findPostgresPrograms())).url)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const url = String(line).trim()
    await askPostgres(url, 'select 1')
    child.kill(signal)
    await waitUntilGone(folderOf(url))
    await assert.rejects(askPostgres(url, 'select 1'))
  })

test('a private PostgreSQL that keeps commits has them after a crash', { skip }, async (t) => {
  const postgres = await startPrivatePostgres(programs ?? '', { commits: 'kept' })
  t.after(postgres.stop)
  await askPostgres(postgres.url, 'create table kept (id int)')
  for (let round = 1; round <= 3; round++) {
    await askPostgres(postgres.url, `insert into kept values (${round})`)
    await postgres.crash()
    await assert.rejects(askPostgres(postgres.url, 'select 1'))
    await postgres.resume()
    await askPostgres(postgres.url, `select 1 / (select count(*) = ${round} from kept)::int`)
  }
})
