import * as api from '@proofdesk/contract/certificates'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { sendBlob } from '../../http/send-file.ts'
import { describeForStranger, findForStranger, listServerContents, openServerContent } from './service.ts'

export function certificateRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listServerContents, ({ viewer, query, request }) =>
    listServerContents(deps, viewer, query, request.url),
  )
  bind(app, api.serveServerContent, async ({ viewer, query, request, reply }) =>
    sendBlob(request, reply, deps.blobs, await openServerContent(deps, viewer, query.collection_proofid, request)),
  )
  bind(app, api.retrieveCertifiedPdf, async ({ query, request, reply }) =>
    sendBlob(request, reply, deps.blobs, await findForStranger(deps, query, request.ip)),
  )
  bind(app, api.describeProof, ({ body, request }) => describeForStranger(deps, body, request.ip))
}
