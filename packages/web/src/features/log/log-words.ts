import type { Statement } from '@proofdesk/proof/log/statements'
import { m } from '../../paraglide/messages.js'

/** What an entry of the log says, for people. */
export function sayStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'genesis':
      return m.transparency_genesis()
    case 'key':
      return { add: m.transparency_key_add, retire: m.transparency_key_retire, revoke: m.transparency_key_revoke }[
        statement.operation
      ]()
    case 'approve':
      return m.transparency_approve()
    case 'revoke':
      return m.transparency_revoke({ ref: statement.ref })
    case 'reinstate':
      return m.transparency_reinstate({ ref: statement.ref })
    case 'amend':
      return m.transparency_amend({ ref: statement.ref })
    case 'status':
      return m.transparency_status()
  }
}
