import * as api from '@proofdesk/contract/comments'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { createComment, deleteComment, listComments } from './service.ts'

export function commentRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listComments, ({ viewer, query }) => listComments(deps, viewer, query))
  bind(app, api.createComment, ({ viewer, body, idempotencyKey }) => createComment(deps, viewer, body, idempotencyKey))
  bind(app, api.deleteComment, ({ viewer, params, query }) => deleteComment(deps, viewer, params.id, query))
}
