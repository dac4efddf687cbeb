import type { FastifyInstance } from 'fastify'
import type { BlobStore } from '../blobs/blob-store.ts'
import { checkDatabase } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import type { Logger } from '../logger.ts'

/** A part that has not answered by then counts as away. */
const CHECK_TIMEOUT_MS = 3000

/** `/healthz`: the process runs. `/readyz`: database and storage can be used right now; 503 when one cannot. */
export function healthRoutes(app: FastifyInstance, deps: { db: Db; blobs: BlobStore; logger: Logger }): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const [database, storage] = await Promise.all([
      isWell('database', () => checkDatabase(deps), deps.logger),
      isWell('storage', () => deps.blobs.check(), deps.logger),
    ])
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

async function isWell(part: string, check: () => Promise<void>, logger: Logger): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([check(), late])
    return true
  } catch (error) {
    logger.fail('not ready', error, { part })
    return false
  } finally {
    clearTimeout(timer)
  }
}
