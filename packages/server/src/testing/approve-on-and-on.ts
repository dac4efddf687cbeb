/**
 * A process of its own that approves one collection after the other until somebody kills it. Arguments: data folder, keys
 * folder, address of a PostgreSQL or nothing. Prints a line once it has approved the first, by which everything is warm.
 */
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { sendCollection } from './collections.ts'
import { openOwnServer } from './own-server.ts'

const [dataDir = '', keysDir = '', databaseUrl = ''] = process.argv.slice(2)
const certify = openCertifyPool({ keysDir, threads: 1, workDir: incomingFolder(dataDir) })
const server = await openOwnServer({ dataDir, databaseUrl, certify, issuingKeysDir: keysDir })
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)
let isWarm = false
for (;;) {
  const id = await sendCollection(ada)
  const { status, body } = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
  // A slow machine may be told to ask again, or that the file is still being sealed.
  if (![200, 202, 503].includes(status)) throw new Error(`not approved: ${status} ${body}`)
  if (status !== 200 || isWarm) continue
  isWarm = true
  process.stdout.write('warm\n')
}
