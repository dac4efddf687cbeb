import { formatInstancePolicy } from '@proofdesk/proof/instance-policy'
import { parsePolicy } from '@proofdesk/proof/log/policy'
import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface InstanceParts {
  config: Pick<Config, 'organisation' | 'publicUrl' | 'witnessPolicy'>
  log: Pick<Log, 'verifierKey' | 'signerFingerprint'>
  /** Undefined before the first start of a version that has one. */
  paperKey: { publicKey: string | undefined }
}

interface PolicyParts {
  config: Pick<Config, 'witnessPolicy'>
  log: Pick<Log, 'verifierKey'>
}

/** What verifiers of certified PDFs take: `formatInstancePolicy` says its form. */
export function describeInstance(deps: InstanceParts): Bytes {
  const logPolicy = formatPolicy(deps)
  return formatInstancePolicy({
    organisation: deps.config.organisation,
    logPolicy,
    independentWitnesses: [...parsePolicy(logPolicy).witnesses.values()].map(({ key }) => key.name),
    pins: [deps.log.signerFingerprint],
    paperKeys: deps.paperKey.publicKey === undefined ? [] : [deps.paperKey.publicKey],
    statusUrl: `${deps.config.publicUrl}/log/status/`,
  })
}

/** c2sp.org/tlog-policy. Whoever is named as a witness is taken to be run by others: nobody is told to trust us twice. */
export const formatPolicy = ({ log, config }: PolicyParts): string =>
  `log ${log.verifierKey}\n${config.witnessPolicy ?? 'quorum none\n'}`
