import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { readAnswer } from '@proofdesk/proof/read-answer'
import type { StatusSource } from '@proofdesk/proof/verify-document'
import { sayFailure } from './say-failure.ts'

const WAIT_MS = 10_000

/**
 * Asks where the policy says; redirects are not followed.
 * @param complain Told why nothing came, where that is so.
 */
export const fetchStatus = ({ statusUrl }: InstancePolicy, complain: (why: string) => void): StatusSource => ({
  async read(page) {
    try {
      if (statusUrl === null) throw new Error('the policy names no address for it')
      const answer = await fetch(`${statusUrl}${page}`, { redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
      if (answer.status === 200) return await readText(answer)
      complain(`${answer.url} answers ${answer.status}`)
    } catch (error) {
      complain(sayFailure(error))
    }
    return undefined
  },
})

async function readText(answer: Response): Promise<string> {
  const bytes = await readAnswer(answer)
  if (!bytes) throw new Error('the answer is too long')
  return new TextDecoder().decode(bytes)
}
