import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { answerFor } from '../../http/asking-client.ts'
import { must, openCollection, sendCollection } from '../../testing/collections.ts'
import { holdJson, holdRequest } from '../../testing/held-request.ts'
import { makePdf } from '../../testing/small-files.ts'
import { closeOtherDoors } from '../account/service.ts'
import { sendVerificationMail } from '../auth/verification-mail.ts'
import { beginSetup } from '../two-factor/set-up.ts'
import { holdUser } from '../users/queries.ts'
import { deleteSession } from './queries.ts'
import { endOtherSessions, findCaller } from './service.ts'

const findId = async ({ deps }: TestServer, username: string): Promise<number> => {
  const found = deps.db.selectFrom('users').select('id').where('username', '=', username)
  return (await found.executeTakeFirstOrThrow()).id
}

const NEW_PASSWORD = 'Owner0nly!'

for (const engine of ENGINES) {
  test(`a call whose body comes after its person was deactivated does nothing (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const ada = await server.signIn('ada')
    const sue = await server.signIn('sue', { is_superuser: true })
    const sam = await server.signIn('sam', { is_staff: true })
    const [rejected, approved, commented] = [
      await sendCollection(ada),
      await sendCollection(ada),
      await sendCollection(ada),
    ]
    await server.settle()
    const hold = (path: string, body: object) => holdJson({ url, method: 'POST', path, access: sam.access!, body })
    const held = [
      await hold(`/admin/${rejected}/reject/`, { admin_desc: 'The second page is missing.' }),
      await hold(`/admin/${approved}/approve/`, { admin_desc: 'As it should be.', expire_time: null }),
      await hold('/comments/', { collection: commented, text: 'Still here.' }),
    ]
    must(await sue.patch(`/admin/users/${await findId(server, 'sam')}/`, { is_active: false }), 200)
    for (const send of held) assert.equal((await send()).status, 401)
    await server.settle()
    for (const id of [rejected, approved]) {
      const { is_locked, admin_username, proofid } = must(await ada.get(`/collections/${id}`), 200)
      assert.deepEqual([is_locked, admin_username, proofid], [true, null, null])
    }
    assert.equal(must(await ada.get(`/comments/?collection=${commented}`), 200).count, 0)
  })

  test(`a call whose body comes after a reset of the password proves no address that was never proved (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const thief = await server.signIn('ada')
    must(await thief.patch('/profile/update_profile/', { email: 'thief@example.org' }), 200)
    await server.settle()
    const path = '/profile/resend_verification_email/'
    const resend = await holdJson({ url, method: 'POST', path, access: thief.access!, body: { any: 'thing' } })
    must(await server.stranger.post('/password/reset/', { email: 'ada@example.org' }), 200)
    await server.settle()
    const token = findToken((await server.mails()).at(-1), 'reset-password')
    must(await server.stranger.post('/password/reset/confirm/', { token, new_password: NEW_PASSWORD }), 200)
    const before = (await server.mails()).length
    assert.equal((await resend()).status, 401)
    assert.equal((await server.mails()).length, before)
  })

  test(`a call for one's own account that takes no right is not refused because a right ended meanwhile (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const path = '/profile/update_profile/'
    const rename = await holdJson({ url, method: 'PATCH', path, access: ada.access!, body: { first_name: 'Augusta' } })
    must(await ada.patch(path, { email: 'augusta@example.org' }), 200)
    assert.equal((await rename()).status, 200)
    const { first_name, email } = must(await ada.get('/profile/info/'), 200)
    assert.deepEqual([first_name, email], ['Augusta', 'augusta@example.org'])
    const body = { old_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    const change = await holdJson({ url, method: 'POST', path: '/password/change/', access: sam.access!, body })
    must(await sue.patch(`/admin/users/${await findId(server, 'sam')}/`, { is_staff: false }), 200)
    assert.equal((await change()).status, 200)
  })

  test(`a call whose body comes after a change of the password uses no rights of the old session (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const stolen = await server.signIn('sue', { is_superuser: true })
    const own = await server.signIn('sue')
    const thief = await server.signIn('thief')
    const access = stolen.access!
    const path = `/admin/users/${await findId(server, 'thief')}/`
    const grant = await holdJson({ url, method: 'PATCH', path, access, body: { is_admin: true } })
    const others = '/profile/sessions/end_others/'
    const endOthers = await holdJson({ url, method: 'POST', path: others, access, body: { any: 'thing' } })
    const change = { old_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    must(await own.post('/password/change/', change), 200)
    assert.equal((await grant()).status, 401)
    assert.equal((await endOthers()).status, 401)
    assert.equal(must(await thief.get('/user/info'), 200).is_admin, false)
    must(await own.get('/user/info'), 200)
  })

  test(`a session that ends while it asks for an authenticator is signed out, without a fault (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const { db } = server.deps
    const caller = await findCaller(server.deps, ada.access!)
    assert.ok(caller)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const ending = db.transaction().execute(async (transaction) => {
      await deleteSession(transaction, caller.sessionId)
      end()
      await asked
    })
    await ended
    const refused = assert.rejects(beginSetup(server.deps, caller), { code: 'not_signed_in' })
    ask()
    await Promise.all([ending, refused])
    assert.deepEqual(await db.selectFrom('pending_authenticators').selectAll().execute(), [])
    // A person without any session is let in as before.
    assert.equal((await (await server.signIn('ada')).get('/g2fa/gfa_qrcode/')).status, 200)
  })

  test(`an address that is not proved any more meanwhile refuses what needs a proved one, and nothing else (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const caller = await findCaller(server.deps, ada.access!)
    assert.ok(caller)
    await db.updateTable('users').set({ is_email_verified: 0 }).execute()
    const endOthers = (needsVerifiedEmail: boolean) =>
      answerFor('192.0.2.1', { ...caller, needsVerifiedEmail }, () => endOtherSessions(server.deps, caller))
    await assert.rejects(endOthers(true), { code: 'email_not_verified' })
    await endOthers(false)
  })

  test(`of a reviewer who is shut out before their text is there no reason is saved (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const url = await server.listen()
    const { access } = await server.signIn('sam', { is_staff: true })
    const body = { decision: 'reject', text: 'A page is missing.' }
    const save = await holdJson({ url, method: 'POST', path: '/admin/reasons/', access: access!, body })
    await db.updateTable('users').set({ is_active: 0 }).where('username', '=', 'sam').execute()
    assert.equal((await save()).status, 401)
    assert.deepEqual(await db.selectFrom('saved_reasons').select('id').execute(), [])
  })

  test(`a proof is changed by nobody whose address is not proved any more once the body comes (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const url = await server.listen()
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)
    const decision = { admin_desc: 'As it should be.', expire_time: null }
    await server.settle()
    await sam.post(`/admin/${id}/approve/`, decision)
    await server.settle()
    const { proofid } = must(await ada.get(`/collections/${id}`), 200)
    const hold = (change: string, more: object) =>
      holdJson({
        url,
        method: 'POST',
        path: `/admin/proofs/${change}/`,
        access: sam.access!,
        body: { proofid, ...more },
      })
    const held = [
      await hold('revoke', { reason: 'issued_in_error' }),
      await hold('expiry', { expire_time: '2200-01-01T00:00Z' }),
    ]
    await db.updateTable('users').set({ is_email_verified: 0 }).where('username', '=', 'sam').execute()
    // Where the body was slow they are looked up once more, and then there is no such proof for them.
    for (const send of held) assert.ok([403, 404].includes((await send()).status))
    assert.deepEqual(await db.selectFrom('proof_changes').select('id').execute(), [])
  })

  for (const [flag, status] of [
    ['is_staff', 403],
    ['is_active', 401],
  ] as const)
    test(`an approval whose reviewer loses ${flag} while it is built decides nothing (${engine})`, async (t) => {
      let atBuilt = async (): Promise<void> => {}
      const server = await startTestServer(t, engine, {
        onApprovalStep: async (step) => {
          if (step === 'built') await atBuilt()
        },
      })
      const ada = await server.signIn('ada')
      const sue = await server.signIn('sue', { is_superuser: true })
      const sam = await server.signIn('sam', { is_staff: true })
      const id = await sendCollection(ada)
      await server.settle()
      const samId = await findId(server, 'sam')
      atBuilt = async () => void must(await sue.patch(`/admin/users/${samId}/`, { [flag]: false }), 200)
      const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'As it should be.', expire_time: null })
      assert.equal(answer.status, status)
      await server.settle()
      const collection = must(await ada.get(`/collections/${id}`), 200)
      assert.deepEqual([collection.is_locked, collection.admin_username, collection.proofid], [true, null, null])
    })

  test(`an upload whose sender is deactivated on its way is not stored (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const ada = await server.signIn('ada')
    const sue = await server.signIn('sue', { is_superuser: true })
    const id = await openCollection(ada)
    const form = new FormData()
    form.set('collection', String(id))
    form.set('file', new File([Uint8Array.from(makePdf())], 'a.pdf', { type: 'application/pdf' }))
    const asked = new Request(url, { method: 'POST', body: form })
    const type = asked.headers.get('content-type')!
    const body = Buffer.from(await asked.arrayBuffer())
    const send = await holdRequest({ url, method: 'POST', path: '/contents/', access: ada.access!, type, body })
    must(await sue.patch(`/admin/users/${await findId(server, 'ada')}/`, { is_active: false }), 200)
    assert.equal((await send()).status, 401)
    assert.deepEqual(await server.deps.db.selectFrom('contents').select('id').execute(), [])
    assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
  })

  test(`a verification mail that is on its way while the password is reset proves nothing (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const id = await findId(server, 'ada')
    must(await ada.patch('/profile/update_profile/', { email: 'thief@example.org' }), 200)
    await server.settle()
    const before = (await server.mails()).length
    // One more that waits, as after a mail server that was away.
    const waiting = { kind: 'verification_mail', payload: JSON.stringify({ user_id: id }), attempts: 3, created_at: 1 }
    const due_at = server.clock.now() + 60_000
    await server.deps.db
      .insertInto('outbox')
      .values({ ...waiting, due_at })
      .execute()
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const resetting = server.deps.db.transaction().execute(async (transaction) => {
      // As setting a password does.
      await holdUser(transaction, id)
      await closeOtherDoors(transaction, id)
      lock()
      await begun
    })
    await locked
    const sending = sendVerificationMail(server.deps, id)
    // Time enough to do it all, if it did not wait for them.
    await Promise.race([sending, setTimeout(500)])
    begin()
    await Promise.all([resetting, sending])
    await server.settle()
    assert.equal((await server.mails()).length, before)
  })
}
