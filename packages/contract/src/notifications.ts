import { z } from 'zod'
import { Id, IdQuery, Time } from './fields.ts'
import { pageOf } from './paging.ts'
import { route } from './route.ts'

export const NotificationType = z.enum([
  'REJECTED_COLLECTION',
  'APPROVED_COLLECTION',
  'ANSWER_TICKET',
  'REMOVED_FILE',
  'REVOKED_PROOF',
  'REINSTATED_PROOF',
  'CHANGED_EXPIRY',
  'UNDELIVERED_MAIL',
  'UNDELIVERED_ANSWER',
])
export type NotificationType = z.infer<typeof NotificationType>

export const Notification = z.object({
  id: Id,
  type: NotificationType,
  path: z
    .string()
    .nullable()
    .describe(
      'The collection’s id (rejected, removed file, undelivered mail), the ticket’s id (answer, undelivered answer), null for all others.',
    ),
  title: z
    .string()
    .nullable()
    .describe('Of the collection or ticket when it happened; null for what happened before titles were kept.'),
  file: z
    .string()
    .nullable()
    .describe('Name of the removed file; null for all others, and for files removed before names were kept.'),
  is_read: z.boolean(),
  created_at: Time,
})
export type Notification = z.infer<typeof Notification>

export const listNotifications = route({
  method: 'GET',
  path: '/notification/',
  summary: 'The newest 20 notifications. 403 while the e-mail is not verified.',
  access: 'bearer',
  response: pageOf(Notification),
  errors: ['email_not_verified'],
})

export const markNotificationRead = route({
  method: 'GET', // fixed by the specification, although it changes state
  path: '/notification/check_read',
  changesState: true,
  summary: 'Marks one notification read.',
  access: 'bearer',
  query: z.object({ id: IdQuery }),
  response: z.object({ detail: z.string() }),
  status: 202,
  errors: ['email_not_verified', 'notification_not_found'],
})

export const markAllNotificationsRead = route({
  method: 'POST',
  path: '/notification/read_all/',
  summary: 'Marks one’s own notifications read, those up to `through` or all of them.',
  access: 'bearer',
  body: z.object({
    through: Id.optional().describe('The newest one that was seen, so that one which comes meanwhile stays unread.'),
  }),
  response: z.object({ detail: z.string(), count: z.int().min(0).describe('How many were unread.') }),
  errors: ['email_not_verified'],
})
