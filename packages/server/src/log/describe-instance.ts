import { formatInstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface InstanceParts {
  config: Pick<Config, 'organisation'>
  log: Pick<Log, 'verifierKey' | 'signerFingerprint'>
  /** Undefined before the first start of a version that has one. */
  paperKey: { publicKey: string | undefined }
}

/** What verifiers of certified PDFs take: `formatInstancePolicy` says its form. */
export const describeInstance = (deps: InstanceParts): Bytes =>
  formatInstancePolicy({
    organisation: deps.config.organisation,
    logPolicy: formatPolicy(deps),
    independentWitnesses: [],
    pins: [deps.log.signerFingerprint],
    statusUrl: null,
    paperKeys: deps.paperKey.publicKey === undefined ? [] : [deps.paperKey.publicKey],
  })

/** c2sp.org/tlog-policy. No witness is named yet: nobody but this installation vouches for its heads. */
export const formatPolicy = ({ log }: Pick<InstanceParts, 'log'>): string => `log ${log.verifierKey}\nquorum none\n`
