import { AsyncLocalStorage } from 'node:async_hooks'

/** The work that a mail is sent for. */
export interface MailWork {
  kind: string
  payload: unknown
}

const underWay = new AsyncLocalStorage<MailWork>()

/** Sends what is sent in `send` for this work, so that a mail which comes back can be told to whoever caused it. */
export function sendFor<T>(work: MailWork, send: () => Promise<T>): Promise<T> {
  return underWay.run(work, send)
}

/** The work that is being done; undefined outside of any, as for a test mail. */
export function findMailWork(): MailWork | undefined {
  return underWay.getStore()
}
