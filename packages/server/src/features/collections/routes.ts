import * as api from '@proofdesk/contract/collections'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import {
  countCollections,
  createCollection,
  deleteCollection,
  listCollections,
  renameCollection,
  sendCollection,
  showCollection,
} from './service.ts'

export function collectionRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.listCollections, ({ viewer, query, request }) => listCollections(deps, viewer, query, request.url))
  handle(app, api.countCollections, ({ viewer }) => countCollections(deps, viewer))
  handle(app, api.showCollection, ({ viewer, params }) => showCollection(deps, viewer, params.id))
  handle(app, api.createCollection, ({ viewer, body }) => createCollection(deps, viewer, body))
  handle(app, api.renameCollection, ({ viewer, params, body }) => renameCollection(deps, viewer, params.id, body))
  handle(app, api.deleteCollection, ({ viewer, params }) => deleteCollection(deps, viewer, params.id))
  handle(app, api.sendCollection, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
  handle(app, api.sendCollectionByPost, ({ viewer, params }) => sendCollection(deps, viewer, params.id))
}
