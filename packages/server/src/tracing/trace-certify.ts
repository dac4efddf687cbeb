import type { CertifyPool } from '@proofdesk/certify/pool'
import { inStep } from '../span.ts'

/** The same pool; waiting for a process and its work become one step of who asked. */
export function traceCertify(pool: CertifyPool): CertifyPool {
  const step = <T>(kind: string, work: () => Promise<T>) => inStep(`certify ${kind}`, { 'certify.kind': kind }, work)
  // All that is asked is passed on, whatever a method comes to take.
  return {
    inspect: (...asked) => step('inspect', () => pool.inspect(...asked)),
    prepare: (...asked) => step('prepare', () => pool.prepare(...asked)),
    build: (...asked) => step('build', () => pool.build(...asked)),
    seal: (...asked) => step('seal', () => pool.seal(...asked)),
    verify: (...asked) => step('verify', () => pool.verify(...asked)),
    drawThumbnail: (...asked) => step('draw', () => pool.drawThumbnail(...asked)),
    processIds: (...asked) => pool.processIds(...asked),
    close: (...asked) => pool.close(...asked),
  }
}
