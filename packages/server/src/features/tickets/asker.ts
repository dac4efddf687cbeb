import type { Viewer } from '@proofdesk/contract/permissions'
import { nameUser } from '../../once/make-once.ts'

/** A visitor, as far as the cookie and the address they go by tell. */
export interface Visitor {
  kind: 'visitor'
  /** Null without a cookie that holds. */
  visitorId: number | null
  /** The cookie's token; null as `visitorId` is. */
  token: string | null
  /** Null where the call names none. */
  email: string | null
}

/** Who asks for tickets. */
export type Asker = { kind: 'person'; viewer: Viewer } | Visitor

/** For the rules of the contract: null for a visitor. */
export function viewerOf(asker: Asker): Viewer | null {
  return asker.kind === 'person' ? asker.viewer : null
}

/** What their calls are kept and counted under; undefined for a visitor without a cookie that holds. */
export function nameAsker(asker: Asker): string | undefined {
  if (asker.kind === 'person') return nameUser(asker.viewer.id)
  return asker.visitorId === null ? undefined : `visitor ${asker.visitorId}`
}
