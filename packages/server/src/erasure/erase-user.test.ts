import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { insertNotification } from '../events/queries.ts'
import { explainRow } from '../features/certificates/service.ts'
import { addErased, readErased } from '../secrets/erased-list.ts'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../testing.ts'
import { addFile, must, openCollection } from '../testing/collections.ts'
import { approveOne, erasing, issueRich, judge, mustBeWell, PLANTED } from '../testing/erasure.ts'
import { searchEverything } from '../testing/search-everything.ts'
import { listStoredFiles } from '../testing/stored-files.ts'
import { listTitles, makeVisitor, openTicket, writeMessage } from '../testing/tickets.ts'
import { eraseAgain } from './erase-again.ts'
import { eraseUser } from './erase-user.ts'

const PERSON = {
  first_name: 'Kornblume',
  last_name: 'Heidelerche',
  phone_number: '+44 20 4711 0815',
  birthdate: '1981-02-03',
}

async function findUserId({ deps }: TestServer, username: string): Promise<number> {
  const { id } = await deps.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return id
}

/** A row in each table of the ways in. */
async function plantSignIns(
  { deps: { db }, clock }: TestServer,
  { user_id, email, subject }: { user_id: number; email: string; subject: string },
): Promise<void> {
  const hash = `hash ${user_id}`
  const soon = clock.now() + 600_000
  const known = { provider: 'google' as const, issuer: 'https://issuer.example', subject, email }
  await db.insertInto('known_networks').values({ user_id, mark: 'mark', used_at: 1 }).execute()
  await db.insertInto('authenticators').values({ user_id, sealed_secret: 'sealed', confirmed_at: 1 }).execute()
  await db.insertInto('used_codes').values({ user_id, step: 1 }).execute()
  await db.insertInto('recovery_codes').values({ user_id, hash }).execute()
  await db
    .insertInto('challenges')
    .values({ user_id, hash, client: 'client', agent: 'agent', created_at: soon })
    .execute()
  await db
    .insertInto('identities')
    .values({ user_id, ...known, linked_at: 1 })
    .execute()
  await db
    .insertInto('pending_identities')
    .values({ user_id, ...known, hash, link_hash: null, expires_at: soon })
    .execute()
  await db.insertInto('provider_entries').values({ user_id, hash, expires_at: soon }).execute()
  await db
    .insertInto('link_tokens')
    .values({ user_id, hash, kind: 'reset_password', email, expires_at: soon })
    .execute()
  await db
    .insertInto('email_changes')
    .values({ user_id, old_email: `old-${email}`, held_email_key: null, undo_hash: null, undo_until: null })
    .execute()
}

/** Tables that still have a row of theirs. */
async function listTablesOf({ deps: { db } }: TestServer, id: number): Promise<string[]> {
  const tables = await db.introspection.getTables()
  const found: string[] = []
  for (const { name, columns } of tables)
    for (const column of ['user_id', 'owner_id'].filter((one) => columns.some((known) => known.name === one))) {
      const { rows } = await sql`select 1 from ${sql.table(name)} where ${sql.ref(column)} = ${id}`.execute(db)
      if (rows.length > 0) found.push(name)
    }
  return found
}

for (const engine of ENGINES) {
  test(`23.7 23.8 of an erased person nothing is left but an empty row, and their name is free (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const email = 'hollerbusch@example.org'
    const person = { username: 'Hollerbusch', email }
    const ada = await server.signIn('Hollerbusch', { email })
    const sam = await server.signIn('sam', { is_staff: true })
    const ben = await server.signIn('ben')
    const id = await findUserId(server, 'Hollerbusch')
    await db.updateTable('users').set(PERSON).where('id', '=', id).execute()
    await plantSignIns(server, { user_id: id, email, subject: 'Mondgestein' })
    const benId = await findUserId(server, 'ben')
    await plantSignIns(server, { user_id: benId, email: 'ben@example.org', subject: 'ben' })
    const kept = await approveOne(ben, sam)
    const { proofid } = await issueRich(ada, sam)
    await addFile(ada, await openCollection(ada, 'Distelfink'))
    const ticket = await openTicket(ada, 'Moorleiche')
    assert.equal(await writeMessage(sam, ticket, 'Rabenfeder'), 201)
    const visitor = makeVisitor(server.stranger, email)
    await openTicket(visitor, 'Glockenspiel')
    // Sam was told that the answer did not arrive.
    await insertNotification(db, {
      user_id: await findUserId(server, 'sam'),
      type: 'UNDELIVERED_ANSWER',
      path: String(ticket),
      title: 'Moorleiche',
      created_at: 1,
    })
    // One that is used, and one that waits.
    await server.stranger.post('/ticket/link/', { email })
    const token = findToken((await server.mails()).at(-1), 'ticket/open')
    must(await visitor.post('/ticket/session/', { token }), 200)
    await server.stranger.post('/ticket/link/', { email })
    await server.settle()
    for (const table of ['visitor_addresses', 'ticket_links'] as const)
      assert.equal((await db.selectFrom(table).select('email_key').execute()).length, 1, table)
    const others = ['Hollerbusch', 'Mondgestein', 'Distelfink', 'Moorleiche', 'Rabenfeder', 'Glockenspiel', proofid]
    const words = [...PLANTED, ...Object.values(PERSON), ...others]
    assert.deepEqual(await searchEverything(server, words), words)

    const ofBen = await listTablesOf(server, benId)
    const counts = await eraseUser(erasing(server), secrets, 'hollerBusch')
    assert.deepEqual([counts.id, counts.proofs, counts.collections, counts.keepsName], [id, 1, 2, false])
    assert.deepEqual(await listTablesOf(server, benId), ofBen, 'what is of others stays')
    assert.equal((await ada.get('/user/info')).status, 401)
    server.deps.outbox.ring()
    await server.settle()
    assert.deepEqual(await searchEverything(server, words), [])
    assert.deepEqual(await listTablesOf(server, id), [])
    assert.equal(await judge(server, proofid, 'Hollerbusch'), '404 proof_not_found')
    assert.equal(await judge(server, kept, 'ben'), 'valid')
    await mustBeWell(server)
    assert.ok((await listStoredFiles(server)).length > 0)
    const login = { username: 'Hollerbusch', password: TEST_PASSWORD }
    assert.equal((await server.stranger.post('/auth/login/', login)).status, 400)
    await assert.rejects(eraseUser(erasing(server), secrets, 'Hollerbusch'), { code: 'user_not_found' })
    await assert.rejects(eraseUser(erasing(server), secrets, 'nobody'), { code: 'user_not_found' })

    // Whoever has the name now is another one, whom no start erases.
    const again = await server.createUser(person)
    assert.notEqual(again.id, id)
    await server.restart()
    assert.equal((await server.stranger.post('/auth/login/', login)).status, 200)
  })

  test(`23.7 whoever only claims an address takes no ticket of its owner along (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const vera = makeVisitor(server.stranger, 'vera@example.net')
    await openTicket(vera, 'Of Vera')
    await server.createUser({ username: 'mallory', email: 'vera@example.net', verified: false })
    await eraseUser(erasing(server), server.deps.secrets, 'mallory')
    assert.deepEqual(await listTitles(vera), ['Of Vera'])
  })

  test(`23.9 what an erased reviewer decided holds, and their name, which stands there, is nobody else's (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { secrets } = server.deps
    const ben = await server.signIn('ben')
    const sam = await server.signIn('samphire', { is_staff: true })
    const { id, proofid } = await issueRich(ben, sam)
    must(await sam.post('/admin/reasons/', { decision: 'reject', text: 'Federkiel' }), 201)
    const ticket = await openTicket(ben, 'Lost seal')
    await writeMessage(ben, ticket, 'first')
    await writeMessage(sam, ticket, 'Rabenfeder')
    must(await ben.post(`/ticket/${ticket}/read/`, { seen: 2 }), 200)
    assert.equal(await writeMessage(ben, ticket, 'third'), 201)
    assert.equal(await writeMessage(sam, ticket, 'Rabenfeder too, and nobody has seen it'), 201)
    await server.settle()
    const { db } = server.deps
    const benId = await findUserId(server, 'ben')
    const countSeen = async () => {
      const reads = db.selectFrom('ticket_reads').select('seen').where('user_id', '=', benId)
      return (await reads.executeTakeFirstOrThrow()).seen
    }
    const seenBefore = await countSeen()
    assert.ok(seenBefore >= 2)

    const erased = await eraseUser(erasing(server), secrets, 'samphire')
    assert.deepEqual([erased.keepsName, erased.proofs, erased.collections], [true, 0, 0])
    assert.deepEqual(
      await searchEverything(server, ['Nebelhorn', 'Rabenfeder', 'Federkiel', 'samphire@example.org']),
      [],
    )
    assert.equal(await judge(server, proofid, 'ben'), 'valid')
    assert.equal(await explainRow(db, secrets, proofid), undefined)
    await mustBeWell(server)
    const shown = must(await ben.get(`/collections/${id}/`), 200)
    assert.equal(shown.admin_username, `(erased ${erased.id})`)
    assert.deepEqual(
      must(await ben.get(`/comments/?collection=${id}`), 200).results.map(({ text }: { text: string }) => text),
      ['Quittenbrot?'],
    )
    const counted = await db.selectFrom('collections').select('comment_count').executeTakeFirstOrThrow()
    assert.equal(counted.comment_count, 1)
    const messages = must(await ben.get(`/conversation/?ticket_id=${ticket}`), 200)
    assert.ok(!JSON.stringify(messages).includes('Rabenfeder'))
    const kept = await db.selectFrom('tickets').select('message_count').executeTakeFirstOrThrow()
    assert.equal(kept.message_count, (await db.selectFrom('ticket_messages').select('id').execute()).length)
    assert.equal(await countSeen(), seenBefore - 1)
    assert.equal(await server.createUser({ username: 'Samphire' }).catch(() => 'refused'), 'refused')
  })

  test(`23.7 nobody gives an erased account an address, a right or a way in (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await server.signIn('sue', { is_superuser: true })
    await server.signIn('ada')
    const id = await findUserId(server, 'ada')
    await eraseUser(erasing(server), server.deps.secrets, 'ada')
    const readRow = () => server.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = await readRow()
    for (const flag of ['is_email_verified', 'is_active', 'is_staff', 'is_admin', 'gfa_is_enabled'])
      for (const value of [true, false]) {
        const answer = await sue.patch(`/admin/users/${id}/`, { [flag]: value })
        assert.deepEqual([answer.status, answer.json().code], [403, 'forbidden'], `${flag} ${value}`)
      }
    assert.deepEqual(await readRow(), before)
    const { results } = must(await sue.get('/admin/users/'), 200)
    const { may } = results.find((account: { id: number }) => account.id === id)
    assert.deepEqual(new Set(Object.values(may)), new Set([false]))
    await assert.rejects(eraseUser(erasing(server), server.deps.secrets, before.username), { code: 'user_not_found' })
  })

  test(`23.9 what an erased reviewer answered and rejected is found by what they are called now, and not by their name (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ben, adam] = [await server.signIn('ben'), await server.signIn('adam', { is_superuser: true })]
    const sam = await server.signIn('vogelbeere', { is_staff: true })
    const id = await openCollection(ben, 'Degree')
    await addFile(ben, id)
    must(await ben.post(`/collections/${id}/save/`), 200)
    must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'No' }), 200)
    const ticket = await openTicket(ben)
    assert.equal(await writeMessage(sam, ticket), 201)
    await server.settle()
    const find = async (text: string) => [
      must(await adam.get(`/ticket/?search=${encodeURIComponent(text)}`), 200).count,
      must(await adam.get(`/collections/?search=${encodeURIComponent(text)}`), 200).count,
    ]
    assert.deepEqual(await find('vogelbeere'), [1, 1])
    const erased = await eraseUser(erasing(server), server.deps.secrets, 'vogelbeere')
    assert.equal(erased.keepsName, false)
    assert.deepEqual(await listTablesOf(server, erased.id), [])
    assert.deepEqual(await searchEverything(server, ['vogelbeere']), [])
    assert.deepEqual(await find('vogelbeere'), [0, 0])
    assert.deepEqual(await find(`(erased ${erased.id})`), [1, 1])
  })

  test(`23.10 the last active superuser is not erased, and of two at once one stays (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const sue = await server.signIn('sue', { is_superuser: true })
    await assert.rejects(eraseUser(erasing(server), secrets, 'sue'), { code: 'last_superuser' })
    assert.deepEqual((await readErased(server.config.keysDir)).erased, [])
    assert.equal((await sue.get('/user/info')).status, 200)
    await server.createUser({ username: 'root2', is_superuser: true })
    const ended = await Promise.allSettled(
      ['sue', 'root2'].map((username) => eraseUser(erasing(server), secrets, username)),
    )
    assert.deepEqual(ended.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const left = await db
      .selectFrom('users')
      .select('username')
      .where('is_superuser', '=', 1)
      .where('is_active', '=', 1)
      .execute()
    assert.equal(left.length, 1)
    await mustBeWell(server)
  })

  test(`23.5 23.11 an interrupted erasure of a person is made up for, and nobody is erased who only has their id (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    await openCollection(ada, 'Zwiebelkuchen')
    await openCollection(await server.signIn('ben'), 'Degree')
    const { deps, config } = server
    const [id, other] = [await findUserId(server, 'ada'), await findUserId(server, 'ben')]
    // As it is when the process ends between the list and the transaction.
    const broken = {
      ...erasing(server),
      db: deps.db,
      now: () => {
        throw new Error('killed')
      },
    }
    await assert.rejects(eraseUser(broken, deps.secrets, 'ada'), /killed/)
    await addErased(config.keysDir, { user: { id: other, mac: deps.secrets.mac('another', 'erased user') } })
    // Without the key nobody can be told from another who got the same number: both lines wait for the next start.
    const { users, left } = await eraseAgain(erasing(server), undefined)
    assert.deepEqual([users, left], [0, 2])
    assert.deepEqual(await searchEverything(server, ['Zwiebelkuchen']), ['Zwiebelkuchen'])
    await server.restart()
    assert.deepEqual(await searchEverything(server, ['Zwiebelkuchen']), [])
    const names = await server.deps.db.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
    assert.deepEqual(names, [
      { id, username: `(erased ${id})` },
      { id: other, username: 'ben' },
    ])
  })
}
