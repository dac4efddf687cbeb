import type { CertifyPool } from '@proofdesk/certify/pool'
import { inStep } from '../span.ts'

/** The same pool; waiting for a process and its work become one step of who asked. */
export function traceCertify(pool: CertifyPool): CertifyPool {
  const step = <T>(kind: string, work: () => Promise<T>) => inStep(`certify ${kind}`, { 'certify.kind': kind }, work)
  return {
    inspect: (path, limits, askedBy) => step('inspect', () => pool.inspect(path, limits, askedBy)),
    prepare: (request) => step('prepare', () => pool.prepare(request)),
    build: (request) => step('build', () => pool.build(request)),
    seal: (request) => step('seal', () => pool.seal(request)),
    verify: (request) => step('verify', () => pool.verify(request)),
    drawThumbnail: (path, type) => step('draw', () => pool.drawThumbnail(path, type)),
    processIds: () => pool.processIds(),
    close: () => pool.close(),
  }
}
