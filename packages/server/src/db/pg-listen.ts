import pg from 'pg'

export interface ListenHandlers {
  onMessage: (payload: string) => void
  /** The connection was lost and is back: messages may have been missed. */
  onGap: () => void
}

/** Listens on a channel until the returned function is called. */
export type Listen = (channel: string, handlers: ListenHandlers) => Promise<() => Promise<void>>

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
/** A connection that broke without a word is found out by asking. */
const PROBE_EVERY_MS = 30_000
const ANSWER_WITHIN_MS = 10_000

/** LISTEN on a connection of its own, renewed for as long as it is wanted. Needs a session, so no transaction pooling. */
export function makePgListen(url: string): Listen {
  return async (channel, handlers) => {
    let isStopped = false
    let current: pg.Client | undefined
    let retry: NodeJS.Timeout | undefined
    let failures = 0
    let isLate = false

    async function connect(): Promise<void> {
      const client = new pg.Client({
        connectionString: url,
        keepAlive: true,
        connectionTimeoutMillis: ANSWER_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
      })
      let isLost = false
      const lose = () => {
        if (isLost) return
        isLost = true
        isLate = true
        clearInterval(probe)
        client.end().catch(() => {})
        if (isStopped) return
        const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures++, 10))
        retry = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2))
      }
      const probe = setInterval(() => void client.query('select 1').catch(lose), PROBE_EVERY_MS)
      client.on('error', lose)
      client.on('end', lose)
      client.on('notification', ({ payload }) => handlers.onMessage(payload ?? ''))
      current = client
      try {
        await client.connect()
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch {
        lose()
        return
      }
      if (isLost) return
      failures = 0
      if (isLate) handlers.onGap()
      isLate = false
    }

    await connect()
    return async () => {
      isStopped = true
      clearTimeout(retry)
      await current?.end().catch(() => {})
    }
  }
}
