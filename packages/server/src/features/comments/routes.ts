import * as api from '@proofdesk/contract/comments'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { createComment, deleteComment, listComments } from './service.ts'

export function commentRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.listComments, ({ viewer, query }) => listComments(deps, viewer, query))
  handle(app, api.createComment, ({ viewer, body }) => createComment(deps, viewer, body))
  handle(app, api.deleteComment, ({ viewer, params, query }) => deleteComment(deps, viewer, params.id, query))
}
