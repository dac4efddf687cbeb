import * as api from '@proofdesk/contract/collections'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import {
  countCollections,
  createCollection,
  deleteCollection,
  listCollections,
  renameCollection,
  viewCollection,
} from './service.ts'

export function collectionRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listCollections, ({ viewer, query, request }) => listCollections(deps, viewer, query, request.url))
  bind(app, api.countCollections, ({ viewer }) => countCollections(deps, viewer))
  bind(app, api.showCollection, ({ viewer, params }) => viewCollection(deps, viewer, params.id))
  bind(app, api.createCollection, ({ viewer, body, idempotencyKey }) =>
    createCollection(deps, viewer, body, idempotencyKey),
  )
  bind(app, api.renameCollection, ({ viewer, params, body }) => renameCollection(deps, viewer, params.id, body))
  bind(app, api.deleteCollection, ({ viewer, params }) => deleteCollection(deps, viewer, params.id))
}
