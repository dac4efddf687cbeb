import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayEnglish } from '@proofdesk/contract/messages'
import { makeShellDeps } from '../../events/shell-deps.ts'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { createAccount } from './service.ts'

let sent = 0

function registerAs({ stranger }: TestServer, username: string) {
  sent += 1
  return stranger.post('/auth/register/', {
    username,
    email: `person${sent}@example.org`,
    first_name: 'Test',
    last_name: 'Person',
    password: TEST_PASSWORD,
    phone_number: '1',
  })
}

async function assertRefused(server: TestServer, username: string, ...messages: string[]) {
  const answer = await registerAs(server, username)
  assert.equal(answer.status, 400, `${username} is refused`)
  const told: string[] = answer.json().username ?? []
  assert.ok(
    messages.some((message) => told.includes(message)),
    `${username}: ${told.join()}`,
  )
}

const TAKEN = sayEnglish('username_taken')
const LOOKS_LIKE = sayEnglish('username_looks_like_another')
const ONE_SCRIPT = sayEnglish('username_one_script')
const RESERVED = sayEnglish('username_reserved')
const MARKS = sayEnglish('username_marks')
const CHARACTERS = sayEnglish('username_characters')

for (const engine of ENGINES) {
  test(`10.1 an account that is made from the shell is recorded as nobody’s doing, one that somebody registers as theirs (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, passwords } = server.deps
    const person = { first_name: '', last_name: '', phone_number: '', birthdate: null, password: null }
    const made = await createAccount(
      { ...makeShellDeps(db), passwords },
      { ...person, username: 'shell', email: 's@example.org', role: 'staff', isEmailVerified: true, origin: 'shell' },
    )
    assert.equal((await registerAs(server, 'ada')).status, 201)
    const entries = await db
      .selectFrom('audit_entries')
      .select(['actor_id', 'object_id', 'details'])
      .where('action', '=', 'account_created')
      .orderBy('id')
      .execute()
    const ada = await db.selectFrom('users').select('id').where('username', '=', 'ada').executeTakeFirstOrThrow()
    assert.deepEqual(entries, [
      { actor_id: null, object_id: made.id, details: '{"role":"staff","origin":"shell"}' },
      { actor_id: ada.id, object_id: ada.id, details: '{"role":"user","origin":"registration"}' },
    ])
  })

  test(`usernames of new accounts (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })

    await t.test('of two scripts are refused', async () => {
      for (const name of ['\u0430lice', 'p\u0430yp\u0430l', 'ада.alice', 'αlpha', 'аdmin', 'ali\u0441e7'])
        await assertRefused(server, name, ONE_SCRIPT)
    })

    await t.test('that look like one that is there are refused, whatever their script and case', async () => {
      for (const name of ['alice', 'scope', 'hob', 'modern', 'Zoe0'])
        assert.equal((await registerAs(server, name)).status, 201)
      // Cyrillic throughout; capital I for l; rn for m; zero for O; Greek capitals; a letter without its dot.
      const alike = [
        'ѕсоре',
        'аӏісе',
        'aIice',
        'AL1CE',
        'al\u0131ce',
        '\u041dОВ',
        'modem',
        'zoeo',
        '\u0397\u039f\u0392',
        '\u0251lice',
      ]
      for (const name of alike) await assertRefused(server, name, LOOKS_LIKE, TAKEN)
      for (const name of ['ALICE', '\uff41\uff4c\uff49\uff43\uff45']) await assertRefused(server, name, TAKEN)
    })

    await t.test('with marks that stay loose, that cannot be seen or that stand first are refused', async () => {
      for (const name of ['ali\u0329ce', 'a\u0338lice', '\u0301alice', 'alic\u0435\u0308\u0308', 'ad\u20dd'])
        await assertRefused(server, name, MARKS, ONE_SCRIPT)
      for (const name of [
        'ali\u200dce',
        'al\u034fice',
        'al\u200bice',
        'ali\u202ece',
        'alice\ufe0f',
        '\u3164\u3164',
        'ali ce',
      ])
        await assertRefused(server, name, CHARACTERS, MARKS)
    })

    await t.test('that claim to be the house are refused, and so are their look-alikes', async () => {
      const claims = [
        'Proofdesk',
        'administrator',
        'admin',
        'Support',
        'root',
        'SYSTEM',
        'pr00fdesk',
        'Adm1n',
        'r.o.o.t',
        'support_',
      ]
      for (const name of claims) await assertRefused(server, name, RESERVED, ONE_SCRIPT)
      assert.equal((await registerAs(server, 'rooter')).status, 201)
    })

    await t.test('of any one script are welcome, and are kept in composed form', async () => {
      const names = [
        'José',
        'Олександр',
        'Ελένη',
        '山田太郎',
        'さくらカナ',
        '김철수',
        'مريم',
        'नेहा',
        'ada+b@x.org',
        'a-b_c.1',
        'נועה',
      ]
      for (const name of names) {
        const answer = await registerAs(server, name)
        assert.equal(answer.status, 201, `${name}: ${answer.body}`)
        assert.equal(answer.json().username, name.normalize('NFKC'))
      }
      const loose = await registerAs(server, 'Rene\u0301')
      assert.equal(loose.json().username, 'Ren\u00e9')
      const signIn = await server.stranger.post('/auth/login/', { username: 'Rene\u0301', password: TEST_PASSWORD })
      assert.equal(signIn.status, 200)
    })

    await t.test('that look alike, asked for at once, are given once', async () => {
      for (const [first, second] of [
        ['nina', 'nlna'],
        ['\u0440\u043e\u0440', 'pop'],
      ] as const) {
        const answers = await Promise.all([registerAs(server, first), registerAs(server, second)])
        const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
        assert.deepEqual(statuses, [201, 400])
      }
    })
  })
}
