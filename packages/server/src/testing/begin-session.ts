import type { Tokens } from '@proofdesk/contract/sessions'
import { recordEvents } from '../events/record-events.ts'
import { beginSession, type rotateTokens } from '../features/sessions/service.ts'
import { UNKNOWN_DEVICE } from '../http/device.ts'

/** Signs somebody in without asking who they are. */
export function beginTestSession(deps: Parameters<typeof rotateTokens>[0], userId: number): Promise<Tokens> {
  const entering = { userId, device: UNKNOWN_DEVICE, way: 'password' } as const
  return recordEvents(deps, (transaction, emit) => beginSession(transaction, emit, deps, entering))
}
