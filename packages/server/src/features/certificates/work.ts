import { defineWork } from '../../outbox/outbox.ts'

/** @param payload `number` is that of the change. */
export const proofChangeMail = defineWork<{ proof_id: number; number: number }>('proof_change_mail')

/** @param payload `expire_time` is the one it is about: one that was changed since needs no reminder. */
export const reminderMail = defineWork<{ proof_id: number; expire_time: number }>('reminder_mail')
