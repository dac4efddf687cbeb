import { does, type Feature } from '../../feature.ts'
import { submissionEvents } from './events.ts'
import { makeDocument } from './make-document.ts'
import { submissionRoutes } from './routes.ts'
import { prepareDocument } from './work.ts'

export const submissions: Feature = {
  name: 'submissions',
  tables: ['submissions', 'submission_files'],
  events: submissionEvents,
  routes: submissionRoutes,
  work: [does(prepareDocument, (deps, { submission_id }, { failures }) => makeDocument(deps, submission_id, failures))],
}
