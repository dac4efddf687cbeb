import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config/config.ts'
import { openMigrator } from '../db/migrate.ts'
import { openPostgres, openSqlite } from '../db/open.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { DATABASE_FILE, openData } from './open-data.ts'
import { StartFailure } from '../config/start-failure.ts'

/** A client's first words when it wants TLS (PostgreSQL, message formats, SSLRequest), and the answer of who has none. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const NO = 'N'

test('9.35 a database that offers no encryption where it is demanded hears nothing, and the start says why', async (t) => {
  const heard: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      heard.push(bytes)
      socket.write(NO)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-data-'))
  t.after(async () => {
    server.close()
    await rm(dataDir, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  const DATABASE_URL = `postgres://user:s3cr3t-pass@127.0.0.1:${port}/proof?sslmode=verify-full`
  await assert.rejects(openData(readConfig({ DATABASE_URL, DATA_DIR: dataDir })), (error) => {
    assert.ok(error instanceof StartFailure)
    assert.match(error.message, /it offers no encryption; with sslmode=disable in DATABASE_URL it is used without$/)
    return !error.message.includes('s3cr3t')
  })
  for (const bytes of heard) assert.deepEqual(bytes, SSL_REQUEST)
  assert.ok(heard.length > 0)
})

test('9.35 a file with certificates that is not there is what the start names, not the database', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-data-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const missing = join(dataDir, 'root.crt')
  const reasonFor = async (end: string) => {
    const DATABASE_URL = `postgres://user:s3cr3t-pass@127.0.0.1:1/proof?${end}`
    const failure: unknown = await openData(readConfig({ DATABASE_URL, DATA_DIR: dataDir })).catch((error) => error)
    assert.ok(failure instanceof StartFailure)
    return failure.message
  }
  assert.match(
    await reasonFor(`sslmode=verify-full&sslrootcert=${missing}`),
    new RegExp(`the file ${missing} cannot be read: it does not exist$`),
  )
  assert.match(
    await reasonFor(`sslmode=verify-full&sslkey=${dataDir}`),
    /a file that it needs cannot be read: it is a folder$/,
  )
  assert.match(await reasonFor('host=/nowhere'), /nothing answers there$/)
})

for (const engine of ['sqlite', 'postgres'] as const)
  test(
    `18.39 a command that looks at a database of an older version leaves it as it is, and says to start the server first (${engine})`,
    { skip: engine === 'sqlite' || hasRealPostgres ? false : 'PostgreSQL is not installed' },
    async (t) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-older-'))
      t.after(() => rm(dataDir, { recursive: true }))
      const real = engine === 'postgres' ? await makeRealDatabase('empty') : undefined
      if (real) t.after(real.drop)
      const open = () => (real ? openPostgres(real.url) : openSqlite(join(dataDir, DATABASE_FILE)))
      const steps = async (work: (migrator: ReturnType<typeof openMigrator>) => Promise<unknown> = async () => {}) => {
        const database = open()
        try {
          const migrator = openMigrator(database)
          await work(migrator)
          return (await migrator.getMigrations()).flatMap(({ name, executedAt }) => (executedAt ? [name] : []))
        } finally {
          await database.close()
        }
      }
      const before = await steps(async (migrator) => {
        const names = (await migrator.getMigrations()).map(({ name }) => name)
        assert.equal((await migrator.migrateTo(names.at(-3)!)).error, undefined)
      })
      const settings = { DATA_DIR: dataDir, ...(real && { DATABASE_URL: real.url }) }
      const commands = [
        'check',
        'check-counts',
        'check-proofs',
        'check-audit',
        'take-away --username ada --right staff',
      ]
      for (const command of commands) {
        const { status, out, err } = await runCommand(command.split(' '), settings)
        assert.deepEqual([status, out], [1, ''], command)
        assert.match(err, /: it is of an older version of Proofdesk: start the server first, /, command)
      }
      assert.deepEqual(await steps(), before)
      await (await openData(readConfig(settings))).close()
      assert.ok((await steps()).length > before.length)
    },
  )
