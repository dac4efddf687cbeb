import type { Feature } from '../../feature.ts'
import { forgetComments } from './service.ts'
import { commentRoutes } from './routes.ts'
import { commentEvents } from './events.ts'

export const comments: Feature = {
  name: 'comments',
  tables: ['comments'],
  events: commentEvents,
  routes: commentRoutes,
  forget: (transaction, { id }) => forgetComments(transaction, id),
}
