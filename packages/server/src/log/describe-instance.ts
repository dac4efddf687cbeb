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

/** As it was described last, and from what: every sealed file is judged by it, and writing it takes longer than looking. */
let known: { from: string; bytes: Bytes } | undefined

/** What verifiers of certified PDFs take: `formatInstancePolicy` says its form. @returns nobody's to change. */
export function describeInstance(deps: InstanceParts): Bytes {
  const { organisation, publicUrl } = deps.config
  const { signerFingerprint } = deps.log
  const paperKeys = deps.paperKey.publicKey === undefined ? [] : [deps.paperKey.publicKey]
  const logPolicy = formatPolicy(deps)
  const from = JSON.stringify([organisation, publicUrl, signerFingerprint, paperKeys, logPolicy])
  if (known?.from !== from) {
    const bytes = formatInstancePolicy({
      organisation,
      logPolicy,
      independentWitnesses: [...parsePolicy(logPolicy).witnesses.values()].map(({ key }) => key.name),
      pins: [signerFingerprint],
      paperKeys,
      statusUrl: `${publicUrl}/log/status/`,
    })
    known = { from, bytes }
  }
  return known.bytes
}

/** c2sp.org/tlog-policy. Whoever is named as a witness is taken to be run by others: nobody is told to trust us twice. */
export const formatPolicy = ({ log, config }: PolicyParts): string =>
  `log ${log.verifierKey}\n${config.witnessPolicy ?? 'quorum none\n'}`
