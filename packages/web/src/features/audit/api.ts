import { exportAudit, listAudit, type AuditExportFormat } from '@proofdesk/contract/audit'
import type { Sent } from '@proofdesk/contract/route'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, callFile } from '../../lib/call.ts'
import { saveBlob } from '../../ui/open-file.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import type { AuditListState } from './list-state.ts'

export function useAudit(state: AuditListState) {
  return useQuery({
    queryKey: [...QUERY_KEYS.audit, state],
    queryFn: ({ signal }) =>
      call(listAudit, { query: { ...toFilter(state), ...(state.before && { before: state.before }) } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useExport(state: AuditListState) {
  return useSingleMutation({
    mutationFn: async (format: AuditExportFormat) => {
      const file = await callFile(exportAudit, { query: { ...toFilter(state), format } })
      saveBlob(file, `audit-${new Date().toISOString().slice(0, 10)}.${format}`)
    },
  })
}

/** Days are the reader's own, from the first moment of one to the last of the other. */
function toFilter({
  actor,
  action,
  object,
  collection,
  from,
  to,
}: AuditListState): Partial<Sent<typeof listAudit, 'query'>> {
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(object && { object }),
    ...(collection && { collection }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
  }
}

/** @param day `YYYY-MM-DD` @param later Days after it. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
