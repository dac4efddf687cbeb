import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sendVerificationMail } from '../auth/verification-mail.ts'
import { holdUser, restoreEmail } from '../users/queries.ts'
import { sendResetMail } from './mails.ts'
import { closeOtherDoors } from './service.ts'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD } from '../../testing.ts'

const ROUNDS = 12

for (const engine of ENGINES) {
  test(`what changes a person and what mails or uses a link never wait for each other in a circle (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    const slow: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const username = `ada${round}`
      const ada = await server.signIn(username, { verified: false })
      await ada.post('/profile/resend_verification_email/')
      const token = findToken((await server.mails()).at(-1), 'verify-email')
      const { id } = (await ada.get('/user/info')).json()
      // Each replaces the links, as the mail after a change does while the next change is under way.
      const mailings = [1, 2, 3].map(() => sendVerificationMail(server.deps, id))
      const begin = performance.now()
      const answers = await Promise.all([
        ada.patch('/profile/update_profile/', { email: `b${round}@example.org` }),
        server.stranger.post('/auth/verify-email/', { token }),
        server.stranger.post('/password/reset/', { email: `${username}@example.org` }),
        ada.post('/password/change/', { old_password: TEST_PASSWORD, new_password: 'Secret2!' }),
        ada.patch('/profile/update_profile/', { email: `c${round}@example.org` }),
      ])
      await Promise.all(mailings)
      await server.settle()
      for (const { status, body } of answers) assert.ok(status < 500, `${status} ${body}`)
      slow.push((performance.now() - begin).toFixed(0))
    }
    t.diagnostic(`rounds in ms: ${slow.join(' ')}`)
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('deadlock') || line.includes('40P01')),
      [],
    )
  })

  test(`a reset mail that is on its way while a change of address is taken back goes to the old one (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const { id } = (await ada.get('/user/info')).json()
    assert.equal((await ada.patch('/profile/update_profile/', { email: 'thief@example.org' })).status, 200)
    const verification = (await server.mails()).find(({ text }) => text?.includes('/verify-email/'))
    const proof = { token: findToken(verification, 'verify-email') }
    assert.equal((await server.stranger.post('/auth/verify-email/', proof)).status, 200)
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const takingBack = server.deps.db.transaction().execute(async (transaction) => {
      await holdUser(transaction, id)
      await restoreEmail(transaction, id, 'ada@example.org')
      await closeOtherDoors(transaction, id)
      lock()
      await begun
    })
    await locked
    const sending = sendResetMail(server.deps, id)
    // Time enough to do it all, if it did not wait for them.
    await Promise.race([sending, setTimeout(500)])
    begin()
    await Promise.all([takingBack, sending])
    const mails = (await server.mails()).filter(({ text }) => text?.includes('/reset-password/'))
    assert.deepEqual(
      mails.map(({ to }) => to?.[0]?.address),
      ['ada@example.org'],
    )
  })
}
