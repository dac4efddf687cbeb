import { interleave } from '../load/interleave.ts'
import { startHello } from '../processes/rivals.ts'
import { toRaw } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16

/** How much the program that measures can ask for, so that nobody takes its limit for that of a server. */
export const measureCeiling: Suite = async ({ effort }) =>
  withServers([startHello], async (hello) => {
    if (!hello) throw new Error('the server is missing')
    const measured = await interleave(effort, {
      hello: { server: hello, plan: { connections: CONNECTIONS, requests: [{ method: 'GET', path: '/' }] } },
    })
    const busiest = Math.max(...measured.hello.map(({ rate, perCpuSecond }) => rate / perCpuSecond))
    return {
      figures: [
        {
          name: 'share of its core that bare node:http was busy for',
          against: 'the highest of the rounds; near 1 the server is the limit, not what measures it',
          value: busiest,
          unit: 'x',
          better: 'more',
          raw: [toRaw('bare node:http', measured.hello)],
        },
      ],
      leftOut: [],
    }
  })
