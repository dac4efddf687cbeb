import type { Deps } from '../../deps.ts'
import type { ProofRecord } from '../certificates/queries.ts'
import { judgeStored } from '../certificates/service.ts'

/**
 * What a stranger's verifier would refuse is never shown to anybody. One that expired while it was sealed is no fault of the
 * file.
 * @throws Error that names the steps which failed.
 */
export async function mustVerify(deps: Deps, key: string, proof: ProofRecord): Promise<void> {
  const { isGenuine, told } = await judgeStored(deps, key, proof, true)
  if (!isGenuine) throw new Error(`a sealed file does not verify: ${told}`)
}
