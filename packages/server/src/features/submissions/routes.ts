import * as collections from '@proofdesk/contract/collections'
import * as api from '@proofdesk/contract/submissions'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { listSubmissions, sendCollection } from './service.ts'

export function submissionRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, collections.sendCollection, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
  bind(app, collections.sendCollectionByPost, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
  bind(app, api.listSubmissions, ({ viewer, params, query, request }) =>
    listSubmissions(deps, viewer, params.id, query, request.url),
  )
}
