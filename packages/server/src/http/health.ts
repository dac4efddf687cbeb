import type { FastifyInstance } from 'fastify'
import type { BlobStore } from '../blobs/blob-store.ts'
import { checkDatabase } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import type { Logger } from '../logger.ts'
import { openPartCheck } from './part-check.ts'

/**
 * `/healthz`: the process runs. `/readyz`: database and storage can be used now, or could a second ago; 503 when one could
 * not. Both are open to everybody.
 */
export function healthRoutes(app: FastifyInstance, deps: { db: Db; blobs: BlobStore; logger: Logger }): void {
  const isDatabaseWell = openPartCheck('database', () => checkDatabase(deps), deps.logger)
  const isStorageWell = openPartCheck('storage', () => deps.blobs.check(), deps.logger)
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const [database, storage] = await Promise.all([isDatabaseWell(), isStorageWell()])
    const ready = database && storage
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ok' : 'unavailable',
        database: database ? 'ok' : 'unavailable',
        storage: storage ? 'ok' : 'unavailable',
      })
  })
}
