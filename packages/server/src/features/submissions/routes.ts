import * as collections from '@proofdesk/contract/collections'
import { MEDIA_TYPE_OF } from '@proofdesk/contract/contents'
import * as api from '@proofdesk/contract/submissions'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { sendBlob } from '../../http/send-file.ts'
import { reportSpoiled } from '../stored-files/service.ts'
import { listSubmissions, openDocument, sendCollection } from './service.ts'

export function submissionRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, collections.sendCollection, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
  bind(app, collections.sendCollectionByPost, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
  bind(app, api.listSubmissions, ({ viewer, params, query, request }) =>
    listSubmissions(deps, viewer, params.id, query, request.url),
  )
  bind(app, api.serveDocument, async ({ viewer, params, request, reply }) => {
    const { key, size, sha256, title } = await openDocument(deps, viewer, params, request)
    const fileName = `${title}.pdf`
    return reportSpoiled(deps, { kind: 'review_document', key, collection_id: params.id }, () =>
      sendBlob(request, reply, deps.blobs, {
        key,
        size,
        sha256,
        mediaType: MEDIA_TYPE_OF.PDF,
        fileName,
        disposition: 'inline',
      }),
    )
  })
}
