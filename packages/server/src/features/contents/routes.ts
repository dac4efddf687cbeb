import * as api from '@proofdesk/contract/contents'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { bind } from '../../http/bind.ts'
import { stopReading } from '../../http/stop-reading.ts'
import { sendBlob } from '../../http/send-file.ts'
import { recordCollectionView } from '../collections/service.ts'
import { reportSpoiled } from '../stored-files/service.ts'
import { addContent } from './add-content.ts'
import { orderContents, renameContent, replaceContent } from './change-content.ts'
import { toRefusal } from './refuse-upload.ts'
import { readThumbnail } from './queries.ts'
import { deleteContent, listContents, mustSeeContent, openContent } from './service.ts'
import { redrawSpoiled, wantThumbnails } from './thumbnails.ts'
import { openUploadSlots } from './upload-slots.ts'

export function contentRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listContents, ({ viewer, query }) => listContents(deps, viewer, query))
  bind(app, api.deleteContent, ({ viewer, params, query }) => deleteContent(deps, viewer, params.id, query))
  bind(app, api.renameContent, ({ viewer, params, body }) => renameContent(deps, viewer, params.id, body))
  bind(app, api.orderContents, ({ viewer, body }) => orderContents(deps, viewer, body))
  bind(app, api.serveContent, async ({ viewer, query, request, reply }) => {
    const content = await openContent(deps, viewer, query.content_id, request)
    const { blob_key: key, collection_id, size, sha256, type, file_name: fileName } = content
    const mediaType = api.MEDIA_TYPE_OF[type]
    return reportSpoiled(deps, { kind: 'original', key, collection_id }, () =>
      sendBlob(request, reply, deps.blobs, { key, size, sha256, mediaType, fileName, disposition: 'inline' }),
    )
  })
  bind(app, api.showThumbnail, async ({ viewer, params, request, reply }) => {
    const { content, collection } = await mustSeeContent(deps, viewer, params.id)
    await recordCollectionView(deps, viewer, collection)
    const thumbnail = readThumbnail(content)
    if (!thumbnail) {
      await wantThumbnails(deps, [content])
      throw new AppError('thumbnail_not_found')
    }
    const { mediaType, fileName } = api.THUMBNAIL_FILE
    return redrawSpoiled(deps, content, thumbnail.key, () =>
      sendBlob(request, reply, deps.blobs, { ...thumbnail, mediaType, fileName, disposition: 'inline' }),
    )
  })

  app.register(async (uploads) => {
    // Here a body of any kind reaches the handler unread, so that every refusal comes in the same shape.
    uploads.removeContentTypeParser('application/json')
    uploads.addContentTypeParser('*', (_request, _body, done) => done(null))
    uploads.setErrorHandler((error, request) => {
      stopReading(request)
      throw toRefusal(error)
    })
    const slots = openUploadSlots()
    bind(uploads, api.createContent, ({ viewer, request }) =>
      slots.hold(viewer.id, () => addContent(deps, viewer, request)),
    )
    bind(uploads, api.replaceContent, ({ viewer, params, request }) =>
      slots.hold(viewer.id, () => replaceContent(deps, viewer, params.id, request)),
    )
  })
}
