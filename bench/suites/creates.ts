import { API_BASE } from '@proofdesk/contract/route'
import type { LoadRequest } from '../load/plan.ts'
import { runLoad, type Measured } from '../load/run-load.ts'
import { runBareProgram, type Told } from '../processes/bare-program.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { findRatio, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'
import { toRawProgram } from './sign-in.ts'

const CALLERS = 64
const CREATED = 201

/** Many people create at once: each collection is on the disk before it is answered, several by one wait for it. */
export const measureCreates: Suite = async ({ effort, instances }) => {
  const small = await instances.copy(effort.small)
  const { rounds, lasts, warmsUp } = effort
  const env = { MAX_USER_COLLECTIONS: '9999999' }
  return withServers([() => startProduct(small.folder, { env })], async (server) => {
    const requests: LoadRequest[] = []
    for (const username of small.people.slice(0, CALLERS))
      requests.push({
        method: 'POST',
        path: `${API_BASE}/collections/`,
        headers: { 'content-type': 'application/json', ...(await signIn(server, username)) },
        body: JSON.stringify({ title: `Degree certificate of ${username}` }),
      })
    const create = (ms: number) => runLoad(server, { connections: CALLERS, lasts: ms, requests }, [CREATED])
    if (warmsUp > 0) await create(warmsUp)
    const creating: Measured[] = []
    const bare: Told[] = []
    for (let round = 0; round < rounds; round += 1) {
      creating.push(await create(lasts))
      bare.push(await runBareProgram('one-fsync', lasts, small.folder))
    }
    const figure: Figure = {
      name: 'creates / one fsync for each write',
      against: `${CALLERS} callers, against a program that writes one page and waits for the disk, again and again; a second`,
      value: findRatio(
        creating.map(({ rate }) => rate),
        bare.map(({ count, seconds }) => count / seconds),
      ),
      unit: 'x',
      better: 'more',
      must: 4,
      aim: 10,
      raw: [toRaw(`creates, ${CALLERS} callers`, creating), toRawProgram('one fsync for each write', bare)],
    }
    return { figures: [figure], leftOut: [] }
  })
}
