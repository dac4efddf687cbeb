// Nothing but password checks, one after the other: `node bare-argon2.ts MS`. Tells as JSON how many, and what they took.
import { hash, verify } from '@node-rs/argon2'

/** Argon2id with OWASP's parameters, as the product has them. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const lasts = Number(process.argv[2])
const stored = await hash('Demo123!', COST)
await verify(stored, 'Demo123!')
const cpu = process.cpuUsage()
const begin = performance.now()
let count = 0
while (performance.now() - begin < lasts) {
  if (!(await verify(stored, 'Demo123!'))) throw new Error('the password is right')
  count += 1
}
const { user, system } = process.cpuUsage(cpu)
const seconds = (performance.now() - begin) / 1000
process.stdout.write(JSON.stringify({ count, seconds, cpuSeconds: (user + system) / 1e6 }))
