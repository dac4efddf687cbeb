import * as api from '@proofdesk/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { changeFlag, listAccounts, type FlagEffects } from './directory/service.ts'

export function userRoutes(app: FastifyInstance, deps: Deps, effects: FlagEffects): void {
  handle(app, api.listUsers, ({ viewer, query, request }) => listAccounts(deps, viewer, query, request.url))
  handle(app, api.setUserFlag, ({ viewer, params, body }) => changeFlag(deps, effects, viewer, params.id, body))
}
