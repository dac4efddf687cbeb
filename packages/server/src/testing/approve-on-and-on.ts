/**
 * A process of its own that approves collections on and on, several at a time, until somebody kills it. Arguments: data folder,
 * keys folder, address of a PostgreSQL or nothing. Prints a line as each approval begins and ends, `begun 7` and `approved 7`; once
 * the first has ended, everything is warm, and from then on it goes on in several lanes.
 */
import { writeSync } from 'node:fs'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { sendCollection } from './collections.ts'
import { openOwnServer } from './own-server.ts'

const LANES = 3

const [dataDir = '', keysDir = '', databaseUrl = ''] = process.argv.slice(2)
const certify = openCertifyPool({ keysDir, threads: 1, workDir: incomingFolder(dataDir) })
const server = await openOwnServer({ dataDir, databaseUrl, certify, issuingKeysDir: keysDir })
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)
while (!(await approveNext())) continue
await Promise.all(Array.from({ length: LANES }, goOn))

async function goOn(): Promise<never> {
  for (;;) await approveNext()
}

/** @returns whether it was approved; a slow machine may be told to ask again */
async function approveNext(): Promise<boolean> {
  const id = await sendCollection(ada)
  print(`begun ${id}`)
  const { status, body } = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
  // That the file is still being sealed is told of an approval that stands.
  if (![200, 202, 503].includes(status)) throw new Error(`not approved: ${status} ${body}`)
  print(`${status === 503 ? 'refused' : 'approved'} ${id}`)
  return status === 200
}

/** At once: what is printed here has been said before the process is killed. */
function print(line: string): void {
  writeSync(1, `${line}\n`)
}
