import { makeApiDocument, type ApiDocument } from '@proofdesk/contract/openapi'
import { showApiDocument } from '@proofdesk/contract/reference'
import type { FastifyInstance } from 'fastify'
import { bind } from './bind.ts'

/** `/openapi.json`: made when somebody asks for the first time, since few ever do. */
export function apiDocumentRoutes(app: FastifyInstance): void {
  let document: ApiDocument | undefined
  bind(app, showApiDocument, async () => (document ??= makeApiDocument()) as ApiDocument & Record<string, unknown>)
}
