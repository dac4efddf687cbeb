import { defineWork } from '../../outbox/outbox.ts'

/** 0: the request named nobody; the row is there so that it cost the same. */
export const resetMail = defineWork<{ user_id: number }>('reset_mail')

export const emailChangedMail = defineWork<{ email_change_id: number }>('email_changed_mail')
