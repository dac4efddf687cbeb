import { ACCEPTED_FILES } from '@proofdesk/contract/contents'
import { m } from '../../paraglide/messages.js'

const BYTES_PER_MB = 1024 * 1024
const ACCEPTED = new Set(ACCEPTED_FILES.split(','))

/**
 * What the server would refuse a file for, told before it is sent, in the server's words; undefined when nothing speaks
 * against it. What its bytes are is for the server to say: a name without an ending is no reason.
 */
export function findFault(file: File, maxUploadMb: number | undefined): string | undefined {
  const ending = /\.[^./\\]+$/.exec(file.name)?.[0].toLowerCase()
  const isNamed = ending !== undefined || file.type !== ''
  if (isNamed && !ACCEPTED.has(ending ?? '') && !ACCEPTED.has(file.type)) return m.file_unsupported_type()
  if (file.size === 0) return m.file_empty()
  if (maxUploadMb !== undefined && file.size > maxUploadMb * BYTES_PER_MB) return m.file_too_large({ max: maxUploadMb })
  return undefined
}
