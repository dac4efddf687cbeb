import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tries } from '../outbox/outbox.ts'

/** The work that a mail is sent for. */
export interface MailWork {
  kind: string
  payload: unknown
}

/** The same while it is done. */
export interface TriedWork extends MailWork {
  tries: Tries
}

const underWay = new AsyncLocalStorage<TriedWork>()

/** Sends what is sent in `send` for this work, so that a mail which comes back can be told to whoever caused it. */
export function sendFor<T>(work: TriedWork, send: () => Promise<T>): Promise<T> {
  return underWay.run(work, send)
}

/** The work that is being done; undefined outside of any, as for a test mail. */
export function findMailWork(): TriedWork | undefined {
  return underWay.getStore()
}
