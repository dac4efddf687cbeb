import { sayEnglish } from '@proofdesk/contract/messages'
import * as api from '@proofdesk/contract/directory'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { changeFlag, endSessionsOfPerson, listAccounts, showPerson } from './service.ts'

export function directoryRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listUsers, ({ viewer, query, request }) => listAccounts(deps, viewer, query, request.url))
  bind(app, api.setUserFlag, ({ viewer, params, body }) => changeFlag(deps, viewer, params.id, body))
  bind(app, api.showPerson, ({ params, ...caller }) => showPerson(deps, caller, params.id))
  bind(app, api.endSessionsOfPerson, async ({ viewer, params }) => {
    await endSessionsOfPerson(deps, viewer, params.id)
    return { detail: sayEnglish('sessions_ended_for') }
  })
}
