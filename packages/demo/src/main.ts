import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { readConfig, type Config } from '@proofdesk/server/config'
import { DEMO_PASSWORD } from '@proofdesk/server/demonstration'
import { openEmptyInstance } from '@proofdesk/server/empty-instance'
import { explainFailure, StartFailure } from '@proofdesk/server/start-failure'
import { fillDemo, type DemoProof } from './fill.ts'
import { PEOPLE, UNVERIFIED } from './people.ts'
import { makeDemoClock, openStage } from './stage.ts'

const REACHABLE = '--reachable'
const HELP = `Usage: npm run demo [-- --fill-only] [-- --reachable]

Fills an empty instance with people, collections in every status, comments, tickets and certified proofs, prints how to
sign in, and then starts the server as npm start does.

  --fill-only   does not start the server
  --reachable   also where others can reach it: makes a password of its own instead of the one everybody knows

It reads the same settings as the server (DATA_DIR, DATABASE_URL, PORT, …) and refuses an instance that is in use.
Mails are written to DATA_DIR/outbox, whatever SMTP_URL says.`

// As the server's own files.
process.umask(0o077)

const say = (line: string) => void process.stdout.write(`${line}\n`)

try {
  await main(process.argv.slice(2))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}

async function main(args: string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    say(HELP)
    return
  }
  const unknown = args.find((arg) => arg !== REACHABLE && arg !== '--fill-only')
  if (unknown !== undefined) throw new StartFailure(`${unknown} is not known. See: npm run demo -- --help`)
  const config: Config = { ...readConfig(), smtpUrl: undefined }
  const isReachable = args.includes(REACHABLE)
  if (!config.isLocalOnly && !isReachable)
    throw new StartFailure(
      `The password of the demonstration is known to everybody, and HOST, PUBLIC_URL or TRUST_PROXY let others in. ${REACHABLE} makes a password of its own`,
    )
  const password = isReachable ? `Demo1!${randomBytes(12).toString('base64url')}` : DEMO_PASSWORD
  const begin = performance.now()
  const letPortGo = await holdPort(config)
  const proofs = await fill(config, password)
  await letPortGo()
  tell(config, password, proofs, (performance.now() - begin) / 1000)
}

/** So that no server works on this data meanwhile. */
async function holdPort({ host, port }: Config): Promise<() => Promise<void>> {
  const holder = createServer((socket) => void socket.destroy())
  try {
    holder.listen(port, host)
    await once(holder, 'listening')
  } catch (cause) {
    throw new StartFailure(`PORT ${port} cannot be had: end the server that runs there, or choose another`, { cause })
  }
  return async () => {
    holder.close()
    await once(holder, 'close')
  }
}

async function fill(config: Config, password: string): Promise<DemoProof[]> {
  const clock = makeDemoClock()
  const instance = await openEmptyInstance(config, password, clock.now)
  say('Filling an empty instance …')
  const stage = openStage(instance.app, clock, password, Date.now())
  await instance.start()
  try {
    const proofs = await fillDemo(stage, clock, password, (person, email) =>
      instance.makeAccount({
        username: person.username,
        email,
        password,
        first_name: person.firstName,
        last_name: person.lastName,
        phone_number: person.phone,
        birthdate: person.birthdate,
        role: person.role,
        isEmailVerified: true,
        origin: 'shell',
      }),
    )
    await instance.settle()
    return proofs
  } finally {
    await instance.close()
  }
}

function tell({ publicUrl, dataDir }: Config, password: string, proofs: DemoProof[], seconds: number): void {
  say(`Done in ${seconds.toFixed(1)} s. Sign in at ${publicUrl}/login; everybody’s password is ${password}\n`)
  for (const { username, shows } of [...PEOPLE, UNVERIFIED]) say(`  ${username.padEnd(12)}${shows}`)
  say(`\nVerify at ${publicUrl}/service-content, with Proof ID and username:\n`)
  for (const { proofid, username, title, isExpired } of proofs)
    say(`  ${proofid}  ${username.padEnd(12)}${title}${isExpired ? ' (expired)' : ''}`)
  say(`\nMails to the people above lie in ${dataDir}/outbox`)
}
