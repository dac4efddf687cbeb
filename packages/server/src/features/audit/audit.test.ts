import { AUDIT_PAGE_SIZE } from '@proofdesk/contract/limits'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLinks } from '../../audit/make-links.ts'
import { recordEvent } from '../../events/record-events.ts'
import {
  ENGINES,
  startTestServer,
  TEST_PASSWORD,
  type NewTestUser,
  type TestClient,
  type TestServer,
} from '../../testing.ts'
import { addFile, openCollection, sendCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'
import { RECORDED_FAILURES } from '../../events/record-failure.ts'
import { accountEvents } from '../account/events.ts'
import { writeCsvLine } from './csv.ts'

/** Makes the account first, so that no sign-in fails. */
async function enter(server: TestServer, username: string, role: Omit<NewTestUser, 'username'> = {}) {
  await server.createUser({ username, ...role })
  return server.signIn(username)
}

const list = async (client: TestClient, query = '') => (await client.get(`/audit/${query}`)).json()
const actionsOf = async (client: TestClient, query = '') =>
  ((await list(client, query)).results as { action: string }[]).map(({ action }) => action).toReversed()

for (const engine of ENGINES) {
  test(`10.1 what people do is recorded with actor, action, object, time and network (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    const ada = await enter(server, 'ada')
    const adaId = (await ada.get('/user/info')).json().id
    await server.stranger.post('/auth/login/', { username: 'ada', password: 'Wrong1!' })
    await server.stranger.post('/auth/login/', { username: 'My password is here', password: 'Wrong1!' })
    const collection = await openCollection(ada, '=cmd()')
    await ada.patch(`/collections/${collection}/`, { title: '=1+1' })
    const content = await addFile(ada, collection)
    await ada.post('/comments/', { collection, text: 'Please be quick' })
    await ada.delete(`/contents/${content}/`)
    await ada.delete(`/collections/${collection}/`)
    await sue.patch(`/admin/users/${adaId}/`, { is_staff: true })
    await ada.post('/auth/logout/', { refresh: ada.refresh })

    const { results, next } = await list(sue)
    assert.equal(next, null)
    const byAda = results.filter((entry: { actor: { id: number } | null }) => entry.actor?.id === adaId).toReversed()
    assert.deepEqual(
      byAda.map(({ action }: { action: string }) => action),
      [
        'signed_in',
        'collection_created',
        'collection_renamed',
        'content_added',
        'comment_added',
        'content_deleted',
        'collection_deleted',
        'signed_out',
      ],
    )
    for (const entry of byAda) assert.match(entry.network, /^[\w-]{16}$/)
    const failed = results.filter(({ action }: { action: string }) => action === 'sign_in_failed')
    assert.deepEqual(
      failed.map(({ actor, object }: { actor: unknown; object: unknown }) => ({ actor, object })),
      [
        { actor: null, object: { kind: 'user', id: null, name: null } },
        { actor: null, object: { kind: 'user', id: adaId, name: 'ada' } },
      ],
    )
    const [flag] = results.filter(({ action }: { action: string }) => action === 'flag_set')
    assert.deepEqual(flag.details, { flag: 'is_staff', value: true })
    assert.equal(flag.actor.username, 'sue')
    // Nothing that somebody wrote or typed, no address.
    const stored = JSON.stringify(await server.deps.db.selectFrom('audit_entries').selectAll().execute())
    assert.doesNotMatch(stored, /quick|password is here|=1\+1|127\.0\.0/)
  })

  test(`what changes nothing is not recorded, however often it is asked for (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    const sam = await enter(server, 'sam', { is_staff: true })
    const ada = await enter(server, 'ada')
    const ticket = (await ada.post('/ticket/', { title: 'Help' })).json().id
    await sam.post('/conversation/', { ticket, text: 'Yes?' })
    const before = (await list(sue)).results.length
    const name = { first_name: 'Augusta', last_name: 'King', phone_number: '+44 20 7946 0000', birthdate: '1990-05-17' }
    await server.signIn('ada')
    for (const _ of [1, 2, 3]) {
      assert.equal((await ada.patch('/profile/update_profile/', name)).status, 200)
      assert.ok((await ada.post('/profile/sessions/end_others/')).status < 300)
      assert.equal((await sam.patch(`/ticket/${ticket}/`, { is_locked: true })).status, 200)
    }
    const { results } = await list(sue)
    assert.deepEqual(
      results
        .slice(0, results.length - before)
        .map(({ action }: { action: string }) => action)
        .toSorted(),
      ['profile_changed', 'sessions_ended', 'signed_in', 'ticket_closed'],
    )
  })

  test(`10.2 views and downloads of what is not one’s own are recorded, the same view once within a quarter of an hour (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    const ada = await enter(server, 'ada')
    const sam = await enter(server, 'sam', { is_staff: true })
    const collection = await openCollection(ada)
    const content = await addFile(ada, collection)
    const ticket = (await ada.post('/ticket/', { title: 'Help' })).json().id
    const adaId = (await ada.get('/user/info')).json().id
    const seen = () => actionsOf(sue, '?actor=sam')

    for (const client of [ada, sam]) {
      await client.get(`/collections/${collection}`)
      await client.get(`/contents/?collection=${collection}`)
      await client.get(`/comments/?collection=${collection}`)
      await client.get(`/ticket/${ticket}/`)
      await client.get(`/conversation/?ticket_id=${ticket}`)
    }
    assert.deepEqual(await seen(), ['signed_in', 'collection_viewed', 'ticket_viewed'])
    const other = (await ada.post('/ticket/', { title: 'Another' })).json().id
    // Its answer shows the ticket as well.
    for (let n = 0; n < 2; n++) await sam.post(`/ticket/${other}/read/`, { seen: 0 })
    await ada.post(`/ticket/${other}/read/`, { seen: 0 })
    assert.equal((await seen()).filter((action) => action === 'ticket_viewed').length, 2)
    for (let n = 0; n < 2; n++) await sam.get(`/contents/serve/?content_id=${content}`)
    for (let n = 0; n < 2; n++) await sam.get(`/contents/serve/?content_id=${content}`, { range: 'bytes=0-9' })
    await ada.get(`/contents/serve/?content_id=${content}`)
    const countDownloads = async () => (await seen()).filter((action) => action === 'content_downloaded').length
    assert.equal(await countDownloads(), 3)
    // Whole all the same.
    for (const headers of [{ range: 'pages=1' }, { 'if-none-match': '"another"' }] as Record<string, string>[])
      for (let n = 0; n < 2; n++) await sam.get(`/contents/serve/?content_id=${content}`, headers)
    assert.equal(await countDownloads(), 7)
    const file = { name: 'other.pdf', bytes: makePdf(2) }
    assert.equal((await ada.upload(`/contents/${content}/replace/`, {}, file)).status, 200)
    await sam.get(`/contents/serve/?content_id=${content}`, { range: 'bytes=0-9' })
    assert.equal(await countDownloads(), 8)
    server.clock.advance(15 * 60 * 1000)
    const [samAgain, sueAgain] = [await server.signIn('sam'), await server.signIn('sue')]
    await Promise.all(Array.from({ length: 5 }, () => samAgain.get(`/collections/${collection}`)))
    assert.equal((await actionsOf(sueAgain, '?actor=sam&action=collection_viewed')).length, 2)
    const ofAda = await actionsOf(sueAgain, '?actor=ada')
    assert.ok(!ofAda.some((action) => /viewed|downloaded/.test(action)))
    await sueAgain.get(`/admin/users/${adaId}/`)
    assert.equal((await actionsOf(sueAgain, '?action=person_viewed')).length, 1)
  })

  test(`10.3 what cannot be recorded is not shown (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await enter(server, 'ada')
    const sam = await enter(server, 'sam', { is_staff: true })
    const collection = await openCollection(ada)
    const content = await addFile(ada, collection)
    await server.deps.db.schema.alterTable('audit_entries').renameTo('audit_away').execute()
    assert.equal((await sam.get(`/collections/${collection}`)).status, 500)
    assert.equal((await sam.get(`/contents/serve/?content_id=${content}`)).status, 500)
    assert.equal((await ada.get(`/collections/${collection}`)).status, 200)
    await server.deps.db.schema.alterTable('audit_away').renameTo('audit_entries').execute()
    assert.equal((await sam.get(`/collections/${collection}`)).status, 200)
  })

  test(`10.4 failures of strangers fill no disk: an installation keeps a thousand an hour (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    for (let n = 0; n < 999; n++) await server.deps.limits.tally({ limit: RECORDED_FAILURES, key: 'all' })
    for (let n = 0; n < 3; n++) await server.stranger.post('/auth/login/', { username: 'eve', password: 'Wrong1!' })
    assert.deepEqual(await actionsOf(sue), ['signed_in', 'sign_in_failed', 'failures_unlisted'])
  })

  test(`10.18 a right password is recorded although the second factor is still asked for (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    const ada = await enter(server, 'ada')
    await enableTwoFactor(ada, server.clock)
    const { id } = (await ada.get('/user/info')).json()
    const login = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
    assert.equal(login.json().gfa_is_enabled, true)
    const { results } = await list(sue, '?action=first_step_passed')
    assert.deepEqual(
      results.map(({ actor, object, details }: Record<string, unknown>) => ({ actor, object, details })),
      [{ actor: null, object: { kind: 'user', id, name: 'ada' }, details: { way: 'password' } }],
    )
    await server.stranger.post('/auth/login/', { username: 'ada', password: 'Wrong1!' })
    assert.equal((await list(sue, '?action=first_step_passed')).results.length, 1)
  })

  test(`10.5 superusers filter the trail, read on to what is older, and see how far the chain reaches (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: Date.UTC(2027, 0, 31, 18) })
    const sue = await enter(server, 'sue', { is_superuser: true })
    const ada = await enter(server, 'ada')
    const collection = await sendCollection(ada)
    const { id } = (await ada.get('/user/info')).json()
    assert.deepEqual(await actionsOf(sue, '?actor=ADA&action=collection_sent'), ['collection_sent'])
    assert.deepEqual(await actionsOf(sue, '?actor=nobody'), [])
    assert.deepEqual(await actionsOf(sue, `?collection=${collection}`), [
      'collection_created',
      'content_added',
      'collection_sent',
    ])
    assert.deepEqual(await actionsOf(sue, `?object=collection&object_id=${collection}&action=collection_created`), [
      'collection_created',
    ])
    assert.deepEqual(await actionsOf(sue, '?from=2027-02-01T00:00:00Z'), [])
    assert.deepEqual(await actionsOf(sue, '?to=2027-01-31T20:00:00%2B02:00'), [])
    assert.equal((await actionsOf(sue, '?from=2027-01-31T18:00:00Z&to=2027-02-01T00:00:00Z')).length, 5)
    for (const query of ['?from=yesterday', '?action=guessed', '?object=house', '?object_id=0', '?before=x'])
      assert.equal((await sue.get(`/audit/${query}`)).status, 400, query)

    for (let n = 0; n < AUDIT_PAGE_SIZE; n++) await recordEvent(server.deps, accountEvents.profile_changed(id))
    const first = await list(sue, '?actor=ada')
    assert.equal(first.results.length, AUDIT_PAGE_SIZE)
    assert.match(first.next, /^\/backend\/api\/v1\/audit\/\?actor=ada&before=\d+$/)
    const rest = await list(sue, first.next.slice('/backend/api/v1/audit/'.length))
    assert.equal(rest.next, null)
    assert.deepEqual(
      rest.results.map(({ action }: { action: string }) => action),
      ['collection_sent', 'content_added', 'collection_created', 'signed_in'],
    )
    assert.equal((await list(sue)).chain.waiting, 55)
    await makeLinks(server.deps)
    const { chain, results } = await list(sue)
    assert.equal(chain.waiting, 0)
    assert.match(chain.hash, /^[0-9a-f]{64}$/)
    assert.equal(results[0].link, chain.link)
  })

  test(`10.6 the trail is exported as CSV, in which no cell is a formula, and as JSON; that is recorded too (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await enter(server, 'sue', { is_superuser: true })
    const ada = await enter(server, '@ada')
    await openCollection(ada, '=HYPERLINK("http://evil.test";"x")')
    await openCollection(ada, '-2+3 "quoted", with comma')
    const csv = await sue.get('/audit/export/?format=csv&action=collection_created')
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"/)
    const lines = csv.body.split('\r\n')
    assert.equal(lines.length, 4)
    assert.ok(lines[1]?.includes(`"'@ada","collection_created"`), lines[1])
    assert.ok(lines[1]?.includes(`"'=HYPERLINK(""http://evil.test"";""x"")"`), lines[1])
    assert.ok(lines[2]?.includes(`"'-2+3 ""quoted"", with comma"`), lines[2])
    // Where semicolons divide cells, one begins in the middle of a title.
    assert.equal(writeCsvLine(['a;=1+1;b', 'a;" =1', 'a;b=1', 'x-y']), `"a;'=1+1;b","a;"" '=1","a;b=1","x-y"\r\n`)
    // titles of older versions may hold line ends
    assert.equal(writeCsvLine(['two\n"lines"', null]), '"two\n""lines""",\r\n')

    await makeLinks(server.deps)
    const all = (await sue.get('/audit/export/?format=json')).json() as { action: string; hash: string | null }[]
    assert.deepEqual(
      all.map(({ action }) => action),
      ['signed_in', 'signed_in', 'collection_created', 'collection_created', 'audit_exported', 'audit_exported'],
    )
    assert.match(all[0]?.hash ?? '', /^[0-9a-f]{64}$/)
    assert.equal(all.at(-1)?.hash, null)
    assert.deepEqual((await sue.get('/audit/export/?format=json&actor=nobody')).json(), [])
    assert.equal((await sue.get('/audit/export/?format=xml')).status, 400)
  })

  test(`10.7 nobody but superusers with a verified e-mail reads the trail (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const roles = [{}, { is_staff: true }, { is_admin: true }, { is_superuser: true, verified: false }]
    for (const [n, role] of roles.entries()) {
      const client = await server.signIn(`person${n}`, role)
      for (const path of ['/audit/', '/audit/export/?format=json']) assert.equal((await client.get(path)).status, 403)
    }
    assert.equal((await server.stranger.get('/audit/')).status, 401)
  })
}
