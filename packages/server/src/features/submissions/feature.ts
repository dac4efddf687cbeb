import type { Feature } from '../../feature.ts'
import { submissionEvents } from './events.ts'
import { submissionRoutes } from './routes.ts'

export const submissions: Feature = {
  name: 'submissions',
  tables: ['submissions', 'submission_files'],
  events: submissionEvents,
  routes: submissionRoutes,
}
