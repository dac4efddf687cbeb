import { defineEvents } from '../../events/event.ts'

const done = (by: number) => ({ audit: { actor: by, object: { kind: 'installation', id: null } } }) as const

export const mailEvents = defineEvents({ mail_tested: done, mails_hastened: done })
