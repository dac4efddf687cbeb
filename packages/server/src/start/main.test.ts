import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../testing/free-ports.ts'
import { ADMIN, MAIN, root, run, start, type Settings } from '../testing/server-process.ts'
import { waitUntil } from '../testing/wait-until.ts'

/** A server that was told to end takes no more connections. */
function waitUntilRefused(url: string): Promise<true> {
  return waitUntil(() =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
}

async function expectRefusal(settings: Settings, line: RegExp, skipRoot = false): Promise<void> {
  if (skipRoot && process.getuid?.() === 0) return
  const server = run(MAIN, [], settings)
  assert.equal(await server.ended, 1)
  const errors = await server.errors
  assert.match(errors, line)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
  assert.ok(!server.out().includes('ready'))
}

test('a server that cannot start says why in one line and exits with 1', async (t) => {
  const dataDir = join(root, 'refused')
  const cases: [string, Settings, RegExp][] = [
    ['a wrong setting', { PORT: 'x' }, /^PORT is wrong: /],
    ['a setting of a later version', { TSA_URL: 'https://tsa' }, /^TSA_URL is set, but this version/],
    ['a data folder that is a file', { DATA_DIR: MAIN }, /^DATA_DIR cannot be used: .*a file is in its place$/m],
    ['a data folder that cannot be made', { DATA_DIR: '/proc/proofdesk' }, /^DATA_DIR cannot be used: /],
    [
      'a folder for keys that cannot be made',
      { DATA_DIR: join(root, 'without-keys'), KEYS_DIR: '/proc/proofdesk' },
      /^The keys in KEYS_DIR cannot be used: \/proc\/proofdesk: the folder /,
    ],
    [
      'a database that is away',
      { DATA_DIR: dataDir, DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/x' },
      /^The database of DATABASE_URL \(127\.0\.0\.1:1\) cannot be used: nothing answers there$/m,
    ],
  ]
  await Promise.all(
    cases.map(([name, settings, line]) => t.test(name, () => expectRefusal({ DATA_DIR: dataDir, ...settings }, line))),
  )
  await t.test('a database file that is none', async () => {
    const folder = await mkdtemp(join(root, 'nonsense-'))
    await writeFile(join(folder, 'proofdesk.sqlite'), 'no database at all, '.repeat(100))
    await expectRefusal({ DATA_DIR: folder }, /^The database .*proofdesk\.sqlite cannot be opened: /)
  })
  await t.test('a data folder that is not ours to write', async () => {
    const folder = await mkdtemp(join(root, 'readonly-'))
    await chmod(folder, 0o500)
    await expectRefusal({ DATA_DIR: folder }, /permission denied/, true)
  })
})

test('from an empty folder to a superuser, an account made beside it, and a clean end', async (t) => {
  const settings = { DATA_DIR: join(root, 'life') }
  const server = await start(settings)
  const post = (path: string, body: object) =>
    fetch(`${server.url}/backend/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const account = { email: 'root@example.org', password: 'Secret1!' }

  await t.test('the data folder and the keys are their owner’s alone', async () => {
    assert.equal((await stat(settings.DATA_DIR)).mode & 0o777, 0o700)
    assert.equal((await stat(join(settings.DATA_DIR, 'keys'))).mode & 0o777, 0o700)
  })

  await t.test('the setup link is printed, not logged, and makes the first superuser', async () => {
    // It is said a little after the server is ready.
    const token = await waitUntil(() => new RegExp(`${server.url}/setup/([\\w-]{43})`).exec(server.out())?.[1])
    assert.equal((await post('/auth/setup/', { ...account, username: 'root', token })).status, 201)
    assert.equal((await post('/auth/setup/', { ...account, username: 'root2', token })).status, 400)
  })

  await t.test('accounts are made from the shell while the server runs', async () => {
    const base = ['create-user', '--username', 'Ada', '--email', 'ada@example.org', '--role', 'staff', '--verified']
    const made = run(ADMIN, [...base, '--password', '-'], settings)
    made.child.stdin.end('Secret1!\n')
    assert.equal(await made.ended, 0, await made.errors)
    assert.match(made.out(), /^Made staff Ada \(id \d+\)\.$/m)
    assert.equal(await made.errors, '')
    const signedIn = await (await post('/auth/login/', { username: 'ada', password: 'Secret1!' })).json()
    assert.equal((signedIn as { is_staff: boolean }).is_staff, true)
    assert.equal((signedIn as { is_email_verified: boolean }).is_email_verified, true)

    const again = run(ADMIN, [...base, '--password', 'Secret1!'], settings)
    assert.equal(await again.ended, 1)
    assert.match(await again.errors, /^--username: A user with that username already exists\.$/m)
    assert.match(
      await again.errors,
      /^Others on this machine can read a password on the command line, .* use --password -$/m,
    )
    const weak = run(ADMIN, [...base, '--password', 'weak'], settings)
    assert.equal(await weak.ended, 1)
    assert.match(await weak.errors, /^--password: Password must be at least 6 characters/m)
    const words = [
      '--first-name',
      '',
      '--last-name',
      'Lovel\u202eeca',
      '--phone-number',
      'call me',
      '--password',
      'Secret1!',
    ]
    const odd = run(ADMIN, [...base, ...words], settings)
    assert.equal(await odd.ended, 1)
    assert.match(await odd.errors, /^--last-name: Please write one line, without control characters/m)
    assert.match(await odd.errors, /^--phone-number: .*phone number/m)
    assert.doesNotMatch(await odd.errors, /--first-name/)
  })

  await t.test('rights are taken away from the shell while the server runs', async () => {
    const take = (username: string, right: string) =>
      run(ADMIN, ['take-away', '--username', username, '--right', right], settings)
    const staff = take('ada', 'staff')
    assert.equal(await staff.ended, 0, await staff.errors)
    assert.match(staff.out(), /^Ada \(id \d+\) is no longer staff\.$/m)
    const signedIn = await (await post('/auth/login/', { username: 'ada', password: 'Secret1!' })).json()
    assert.equal((signedIn as { is_staff: boolean }).is_staff, false)
    const nobody = take('nobody.here', 'active')
    assert.equal(await nobody.ended, 1)
    assert.match(await nobody.errors, /^User not found\.$/m)
  })

  await t.test('12.8 counts are compared from the shell while the server runs, and set right', async () => {
    const check = async (...words: string[]) => {
      const command = run(ADMIN, ['check-counts', ...words], settings)
      return { code: await command.ended, out: command.out(), errors: await command.errors }
    }
    assert.deepEqual(await check(), { code: 0, out: 'All counts are right.\n', errors: '' })
    const database = new DatabaseSync(join(settings.DATA_DIR, 'proofdesk.sqlite'))
    database.exec('update user_counts set amount = amount + 2 where is_admin = 0 and is_staff = 0')
    database.close()
    const found = await check()
    assert.equal(found.code, 1)
    assert.match(found.errors, /^users with is_admin 0, is_staff 0: \d+ counted, \d+ there$/m)
    assert.match(found.errors, /check-counts --mend$/m)
    assert.equal((await check('--mend')).code, 0)
    assert.deepEqual(await check(), { code: 0, out: 'All counts are right.\n', errors: '' })
  })

  await t.test('a second server is stopped by the port', () =>
    expectRefusal({ DATA_DIR: join(root, 'beside'), PORT: String(server.port) }, /^PORT \d+ is taken/),
  )

  await t.test('and on the same data by a lock, also at another port', async () =>
    expectRefusal(
      { ...settings, PORT: String(await findFreePort()) },
      /^DATA_DIR is in use: another Proofdesk server runs/,
    ),
  )

  await t.test('Ctrl-C lets a request that is under way come to its end', async () => {
    const body = JSON.stringify({ username: 'ada', password: 'Secret1!' })
    const slow = request(`${server.url}/backend/api/v1/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    })
    slow.write(body.slice(0, 5))
    await once(slow, 'continue')
    server.child.kill('SIGINT')
    await waitUntilRefused(server.url)
    assert.equal(server.child.exitCode, null)
    slow.end(body.slice(5))
    const [answer] = await once(slow, 'response')
    assert.equal(answer.statusCode, 200)
    answer.resume()
    assert.equal(await server.ended, 0)
    assert.equal(await server.errors, '')
  })

  await t.test('the next start is quick, keeps its keys and prints no setup link', async () => {
    const begin = performance.now()
    const next = await start(settings)
    t.diagnostic(`ready after ${Math.round(performance.now() - begin)} ms`)
    assert.ok(!next.out().includes('/setup/'))
    next.child.kill('SIGTERM')
    assert.equal(await next.ended, 0)
  })

  await t.test('with other keys, or none, it does not start, and makes no new ones', async () => {
    const empty = join(root, 'no-keys')
    await expectRefusal({ ...settings, KEYS_DIR: empty }, /^The keys in KEYS_DIR cannot be used: /)
    await assert.rejects(stat(join(empty, 'issuing')))
    const other = { DATA_DIR: join(root, 'other') }
    const another = await start(other)
    another.child.kill('SIGINT')
    await another.ended
    await expectRefusal(
      { ...settings, KEYS_DIR: join(other.DATA_DIR, 'keys') },
      /^KEYS_DIR holds other keys than the ones this database was made with: /,
    )
  })
})

test('a second Ctrl-C stops at once', async () => {
  const server = await start({ DATA_DIR: join(root, 'hasty') })
  const slow = request(`${server.url}/backend/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
  })
  slow.write('{')
  await once(slow, 'continue')
  slow.on('error', () => {})
  server.child.kill('SIGINT')
  await waitUntilRefused(server.url)
  assert.equal(server.child.exitCode, null)
  server.child.kill('SIGINT')
  assert.equal(await server.ended, 1)
})

test('the admin command explains itself', async () => {
  const help = run(ADMIN, ['--help'], {})
  assert.equal(await help.ended, 0)
  assert.match(help.out(), /create-user --username U --email E --password - --role user\|staff\|admin\|superuser/)
  const cases: [string[], RegExp][] = [
    [['drop-table'], /There is no command drop-table/],
    [['create-user', '--role', 'king'], /--role is one of user, staff, admin, superuser/],
    [['create-user', '--role', 'user', '--email', 'a@b'], /--username is missing/],
    [['create-user', '--colour', 'red'], /--colour/],
    [['take-away', '--username', 'ada', '--right', 'all'], /--right is one of active, superuser, admin, staff/],
    [['take-away', '--right', 'staff'], /--username is missing/],
    [['check-counts', '--all'], /check-counts takes --mend and nothing else/],
  ]
  for (const [args, line] of cases) {
    const wrong = run(ADMIN, args, {})
    assert.equal(await wrong.ended, 2)
    assert.match(await wrong.errors, line)
  }
})

test('a server whose output nobody reads any more still ends requests and closes as it should', async () => {
  const server = await start({ DATA_DIR: join(root, 'unread') })
  server.child.stdout.destroy()
  await pause(50)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.equal(await server.errors, '')
})

test('after a kill the next server starts on the same data, and takes the rights of others away', async () => {
  const settings = { DATA_DIR: join(root, 'open-to-all') }
  const server = await start(settings)
  server.child.kill('SIGKILL')
  await server.ended
  const files = ['proofdesk.sqlite', 'proofdesk.sqlite-wal', 'proofdesk.sqlite-shm', 'proofdesk.lock'].map((name) =>
    join(settings.DATA_DIR, name),
  )
  for (const file of files) await chmod(file, 0o644)
  await chmod(settings.DATA_DIR, 0o755)
  const next = await start(settings)
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600, file)
  assert.equal((await stat(settings.DATA_DIR)).mode & 0o777, 0o700)
  next.child.kill('SIGTERM')
  assert.equal(await next.ended, 0)
})

test('a server that is older than its data says so and changes nothing', async () => {
  const settings = { DATA_DIR: join(root, 'of-tomorrow') }
  const server = await start(settings)
  server.child.kill('SIGTERM')
  await server.ended
  const path = join(settings.DATA_DIR, 'proofdesk.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`insert into kysely_migration values ('9999-of-tomorrow', '2099-01-01T00:00:00Z')`)
  await expectRefusal(
    settings,
    /proofdesk\.sqlite cannot be opened: it was used by a newer version of Proofdesk \(9999-of-tomorrow\): start that version/,
  )
  assert.equal(database.prepare(`select count(*) as n from kysely_migration where name >= '9999'`).get()?.['n'], 1)
  database.close()
})
