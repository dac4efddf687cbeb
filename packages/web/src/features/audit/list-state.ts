import { listAudit, type AuditEntry } from '@proofdesk/contract/audit'
import type { ListAddress } from '../../lib/use-list-address.ts'

/** What the list shows; it lives in the address. */
export interface AuditListState {
  actor: string
  action: AuditEntry['action'] | undefined
  object: AuditEntry['object']['kind'] | undefined
  /** Id of the one it concerns. */
  collection: string
  /** `YYYY-MM-DD`, as the reader's own day. */
  from: string
  to: string
  /** Only older entries than this id; empty for the newest. */
  before: string
  /** Of lists that count pages; this one does not. */
  page: number
}

const DAY = /^\d{4}-\d\d-\d\d$/
const ID = /^[1-9]\d{0,15}$/

export const AUDIT_ADDRESS: ListAddress<AuditListState> = {
  read: (address) => {
    const { action, object } = listAudit.query.shape
    const read = (name: string, form: RegExp) => {
      const text = address.get(name) ?? ''
      return form.test(text) ? text : ''
    }
    return {
      actor: address.get('actor') ?? '',
      action: action.safeParse(address.get('action') ?? undefined).data,
      object: object.safeParse(address.get('object') ?? undefined).data,
      collection: read('collection', ID),
      from: read('from', DAY),
      to: read('to', DAY),
      before: read('before', ID),
      page: 1,
    }
  },
  write: ({ page: _page, ...state }) => {
    const address = new URLSearchParams()
    for (const [name, value] of Object.entries(state)) if (value) address.set(name, value)
    return address
  },
}
