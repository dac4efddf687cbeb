import { showHealth } from '@proofdesk/contract/health'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { showHealthReport } from './service.ts'

export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, showHealth, ({ viewer }) => showHealthReport(deps, viewer))
}
