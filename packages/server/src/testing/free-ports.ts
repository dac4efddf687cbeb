import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port of the loopback address at which nobody listens; another program may be quicker to take it, and then starting fails. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1)
  return port
}

/** As many different ones: they are all taken before the first is let go. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer())
  for (const probe of probes) await once(probe.listen(0, '127.0.0.1'), 'listening')
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port)
  for (const probe of probes) await once(probe.close(), 'close')
  return ports
}
