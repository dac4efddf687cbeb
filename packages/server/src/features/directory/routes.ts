import { sayEnglish } from '@proofdesk/contract/messages'
import * as api from '@proofdesk/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import {
  changeFlag,
  endSessionsOfPerson,
  listAccounts,
  showPerson,
  type FlagEffects,
  type PersonFacts,
} from './directory/service.ts'

export function userRoutes(app: FastifyInstance, deps: Deps, right: FlagEffects & PersonFacts): void {
  bind(app, api.listUsers, ({ viewer, query, request }) => listAccounts(deps, viewer, query, request.url))
  bind(app, api.setUserFlag, ({ viewer, params, body }) => changeFlag(deps, right, viewer, params.id, body))
  bind(app, api.showPerson, ({ params, ...caller }) => showPerson(deps, right, caller, params.id))
  bind(app, api.endSessionsOfPerson, async ({ viewer, params }) => {
    await endSessionsOfPerson(deps, right, viewer, params.id)
    return { detail: sayEnglish('sessions_ended_for') }
  })
}
