import * as account from '@proofdesk/contract/account'
import * as auth from '@proofdesk/contract/auth'
import * as notifications from '@proofdesk/contract/notifications'
import * as providerLogin from '@proofdesk/contract/provider-login'
import * as reference from '@proofdesk/contract/reference'
import * as sessions from '@proofdesk/contract/sessions'
import * as twoFactor from '@proofdesk/contract/two-factor'
import { beginTestSession } from '../begin-session.ts'
import { TEST_PASSWORD } from '../../testing.ts'
import { listRows, type RoleRow, type Scene, type Statuses } from './role-row.ts'

// Columns:                   visitor, unverified, owner, other, staff, admin, superuser, deactivated
const EVERYONE: Statuses = [200, 200, 200, 200, 200, 200, 200, 200]
const NOBODY: Statuses = [400, 400, 400, 400, 400, 400, 400, 400]
const NOT_THERE: Statuses = [404, 404, 404, 404, 404, 404, 404, 404]
const SENT_ON: Statuses = [302, 302, 302, 302, 302, 302, 302, 302]
const SIGNED_IN: Statuses = [401, 200, 200, 200, 200, 200, 200, 401]

const NO_TOKEN = 'x'.repeat(43)

export const AUTH_ROWS: RoleRow[] = [
  ...listRows(auth.register, { '': [201, 201, 201, 201, 201, 201, 201, 201] }, ({ unique }) => ({
    body: {
      username: `new${unique}`,
      email: `new${unique}@example.org`,
      first_name: 'New',
      last_name: 'Person',
      password: TEST_PASSWORD,
      phone_number: '1',
    },
  })),
  ...listRows(
    auth.logIn,
    { 'the right password': [400, 200, 200, 200, 200, 200, 200, 400], 'a wrong password': NOBODY },
    ({ caller }, state) => ({
      body: { username: caller?.username ?? 'nobody', password: state === 'a wrong password' ? 'x' : TEST_PASSWORD },
    }),
  ),
  ...listRows(auth.verifyEmail, { 'no such link': NOBODY }, () => ({ body: { token: NO_TOKEN } })),
  ...listRows(auth.setUp, { 'no such link': NOBODY }, ({ unique }) => ({
    body: {
      token: NO_TOKEN,
      username: `first${unique}`,
      email: `first${unique}@example.org`,
      password: TEST_PASSWORD,
    },
  })),
  ...listRows(auth.checkSetupLink, { 'no such link': NOBODY }, () => ({ body: { token: NO_TOKEN } })),
  ...listRows(auth.showInstance, { '': EVERYONE }, () => ({})),
  ...listRows(providerLogin.logInWithIdToken, { 'no provider configured': NOT_THERE }, () => ({
    body: { token: NO_TOKEN },
  })),
  ...listRows(providerLogin.startProviderLogin, { 'no provider configured': NOT_THERE }, () => ({
    query: { provider: 'oidc' },
  })),
  ...listRows(providerLogin.receiveProviderAnswer, { 'nothing begun': SENT_ON }, () => ({})),
  ...listRows(providerLogin.finishProviderLogin, { 'no such code': NOBODY }, () => ({ body: { code: NO_TOKEN } })),
  ...listRows(providerLogin.joinAccount, { 'no such offer': NOBODY }, () => ({
    body: { code: NO_TOKEN, password: TEST_PASSWORD },
  })),
  ...listRows(providerLogin.mailJoinLink, { 'no such offer': NOBODY }, () => ({ body: { code: NO_TOKEN } })),
  ...listRows(providerLogin.confirmJoin, { 'no such link': NOBODY }, () => ({ body: { token: NO_TOKEN } })),
  ...listRows(providerLogin.linkIdentity, { 'no such code': [401, 400, 400, 400, 400, 400, 400, 401] }, () => ({
    body: { code: NO_TOKEN },
  })),
  ...listRows(providerLogin.listIdentities, { '': SIGNED_IN }, () => ({})),
  ...listRows(
    providerLogin.unlinkIdentity,
    { 'the owner’s': [401, 200, 200, 404, 404, 404, 404, 401] },
    async (scene) => ({ params: { id: await plantIdentity(scene) } }),
  ),
  ...listRows(reference.showApiDocument, { '': EVERYONE }, () => ({})),
  ...listRows(sessions.refreshTokens, { 'one’s own token': SIGNED_IN }, ({ client }) => ({
    body: { refresh: client.refresh ?? NO_TOKEN },
  })),
  ...listRows(sessions.listSessions, { '': SIGNED_IN }, () => ({})),
  ...listRows(
    sessions.endOneSession,
    {
      'one’s own': [401, 204, 204, 204, 204, 204, 204, 401],
      'somebody else’s': [401, 404, 404, 404, 404, 404, 404, 401],
    },
    async ({ server, caller, unique }, state) => {
      const { db } = server.deps
      const user = state === 'one’s own' && caller ? caller : await server.createUser({ username: `eve${unique}` })
      await beginTestSession(server.deps, user.id)
      const newest = db.selectFrom('sessions').select((of) => of.fn.max('id').as('id'))
      return { params: { id: (await newest.where('user_id', '=', user.id).executeTakeFirstOrThrow()).id } }
    },
  ),
  ...listRows(sessions.endOtherSessions, { '': SIGNED_IN }, () => ({ body: {} })),
  ...listRows(sessions.logOut, { '': [401, 200, 200, 200, 200, 200, 200, 200] }, () => ({ body: {} })),
]

export const PROFILE_ROWS: RoleRow[] = [
  ...listRows(account.showUser, { '': SIGNED_IN }, () => ({})),
  ...listRows(account.showProfile, { '': SIGNED_IN }, () => ({})),
  ...listRows(account.updateProfile, { '': SIGNED_IN }, () => ({ body: { first_name: 'Ada' } })),
  ...listRows(account.resendVerification, { '': [401, 200, 409, 409, 409, 409, 409, 401] }, () => ({ body: {} })),
  ...listRows(
    account.changePassword,
    { 'the right old one': SIGNED_IN, 'a wrong old one': [401, 400, 400, 400, 400, 400, 400, 401] },
    (_scene, state) => ({
      body: { old_password: state === 'a wrong old one' ? 'x' : TEST_PASSWORD, new_password: 'Another1!' },
    }),
  ),
  ...listRows(account.requestReset, { '': EVERYONE }, ({ unique }) => ({
    body: { email: `nobody${unique}@example.org` },
  })),
  ...listRows(account.confirmReset, { 'no such link': NOBODY }, () => ({
    body: { token: NO_TOKEN, new_password: 'Another1!' },
  })),
  ...listRows(account.undoEmailChange, { 'no such link': NOBODY }, () => ({ body: { token: NO_TOKEN } })),
  ...listRows(account.showConfirmation, { '': SIGNED_IN }, () => ({})),
  ...listRows(
    account.confirmIdentity,
    { 'the right password': SIGNED_IN, 'a wrong password': [401, 400, 400, 400, 400, 400, 400, 401] },
    (_scene, state) => ({ body: { password: state === 'a wrong password' ? 'x' : TEST_PASSWORD } }),
  ),
  ...listRows(twoFactor.renewRecoveryCodes, { 'never on': [401, 409, 409, 409, 409, 409, 409, 401] }, () => ({
    body: {},
  })),
  ...listRows(account.checkResetLink, { 'no such link': NOBODY }, () => ({ body: { token: NO_TOKEN } })),
  ...listRows(twoFactor.beginSetup, { '': SIGNED_IN }, () => ({})),
  ...listRows(
    twoFactor.setTwoFactor,
    { 'off, never on': SIGNED_IN, 'on, nothing begun': [401, 400, 400, 400, 400, 400, 400, 401] },
    (_scene, state) => ({ body: state === 'off, never on' ? { gfa_is_enabled: false } : { otp: '123456' } }),
  ),
  ...listRows(twoFactor.verifyCode, { 'no password step before': NOBODY }, ({ owner }) => ({
    body: { user_id: owner.id, otp: '123456' },
  })),
]

export const NOTIFICATION_ROWS: RoleRow[] = [
  ...listRows(notifications.listNotifications, { '': [401, 403, 200, 200, 200, 200, 200, 401] }, () => ({})),
  ...listRows(
    notifications.markNotificationRead,
    { 'the owner’s': [401, 403, 202, 404, 404, 404, 404, 401] },
    async (scene) => ({ query: { id: await plantNotification(scene) } }),
  ),
  ...listRows(notifications.markAllNotificationsRead, { '': [401, 403, 200, 200, 200, 200, 200, 401] }, () => ({
    body: {},
  })),
]

async function plantNotification({ server, owner }: Scene): Promise<number> {
  const { id } = await server.deps.db
    .insertInto('notifications')
    .values({
      user_id: owner.id,
      type: 'APPROVED_COLLECTION',
      path: null,
      is_read: 0,
      created_at: server.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function plantIdentity({ server, owner, unique }: Scene): Promise<number> {
  const { db } = server.deps
  await db.deleteFrom('identities').where('user_id', '=', owner.id).execute()
  const { id } = await db
    .insertInto('identities')
    .values({
      user_id: owner.id,
      provider: 'oidc',
      issuer: 'https://id.example',
      subject: `owner${unique}`,
      email: 'owner@example.org',
      linked_at: server.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
