import { interleave } from '../load/interleave.ts'
import { startHello } from '../processes/rivals.ts'
import { findMedian, findRatio, readRates, toRaw } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16

/** How much the program that measures can ask for, so that nobody takes its limit for that of a server. */
export const measureCeiling: Suite = async ({ effort }) =>
  withServers([startHello], async (hello) => {
    const measured = await interleave(effort, {
      hello: { server: hello, plan: { connections: CONNECTIONS, requests: [{ method: 'GET', path: '/' }] } },
    })
    const sent = measured.hello.map(({ count, senderCpuSeconds }) => count / senderCpuSeconds)
    return {
      figures: [
        {
          name: 'what measures / bare node:http',
          against: 'answers a CPU second of each; above 1 the server is the limit, even where it does nothing',
          value: findRatio(sent, readRates(measured.hello)),
          unit: 'x',
          better: 'more',
          raw: [
            toRaw('bare node:http', measured.hello),
            { name: 'what measures', values: { 'a CPU second': findMedian(sent) } },
          ],
        },
      ],
      leftOut: [],
    }
  })
