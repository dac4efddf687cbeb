import { defineEvents } from '../../events/event.ts'
import { securityMail, type SecurityEvent } from '../users/work.ts'
import { providerJoinMail } from './work.ts'

const tellOwner = (user: number, event: SecurityEvent) => [securityMail({ user_id: user, event })] as const

export const providerEvents = defineEvents({
  /** @param told Not for a new account, which came with it. */
  provider_linked: (user: number, identity: { id: number; provider: string }, told = { isNews: true }) => ({
    audit: { actor: user, object: { kind: 'identity', id: identity.id }, details: { provider: identity.provider } },
    work: told.isNews ? tellOwner(user, 'provider_linked') : [],
  }),
  /** @param told Not where another mail says it with what else has gone. */
  provider_unlinked: (user: number, id: number, told = { isNews: true }) => ({
    audit: { actor: user, object: { kind: 'identity', id } },
    work: told.isNews ? tellOwner(user, 'provider_unlinked') : [],
  }),
  join_mail_asked: (pendingIdentity: number) => ({
    work: [providerJoinMail({ pending_identity_id: pendingIdentity })],
  }),
})
