import { does, type Feature } from '../../feature.ts'
import { contentRoutes } from './routes.ts'
import { makeThumbnail } from './thumbnails.ts'
import { drawThumbnail } from './work.ts'
import { contentEvents } from './events.ts'

export const contents: Feature = {
  name: 'contents',
  tables: ['contents'],
  events: contentEvents,
  routes: contentRoutes,
  work: [does(drawThumbnail, (deps, { content_id }, { failures }) => makeThumbnail(deps, content_id, failures))],
}
