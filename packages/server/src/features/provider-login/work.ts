import { defineWork } from '../../outbox/outbox.ts'

export const providerJoinMail = defineWork<{ pending_identity_id: number }>('provider_join_mail')
