import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqlite } from './open.ts'

/** Holds a new database as the process does that was there first, for a moment. */
const HOLD = `
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(process.argv[1])
db.exec('create table first (id integer); begin exclusive; insert into first values (1)')
process.stdout.write('held')
setTimeout(() => db.exec('commit'), 300)`

test('a database that another process holds just now is opened once it is free', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-busy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'proofdesk.sqlite')
  const holder = spawn(process.execPath, ['-e', HOLD, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(holder, 'exit')
  await once(holder.stdout, 'data')
  const database = openSqlite(path)
  await database.close()
  assert.deepEqual(await ended, [0, null])
})
