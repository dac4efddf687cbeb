import type { AuditExportFormat } from '@proofdesk/contract/audit'
import { defineEvents } from '../../events/event.ts'

export const auditEvents = defineEvents({
  audit_exported: (by: number, format: AuditExportFormat) => ({
    audit: { actor: by, object: { kind: 'installation', id: null }, details: { format } },
  }),
})
