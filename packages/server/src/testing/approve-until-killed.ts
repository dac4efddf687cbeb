/**
 * A process of its own that approves a collection and kills itself, without any chance to tidy up, at one step.
 * Arguments: data folder, keys folder, step. Prints the collection's id before it begins.
 */
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { sendCollection } from './collections.ts'
import { openOwnServer } from './own-server.ts'

const [dataDir = '', keysDir = '', killedAt = ''] = process.argv.slice(2)
const certify = openCertifyPool({ keysDir, threads: 1, workDir: incomingFolder(dataDir) })
const server = await openOwnServer({
  dataDir,
  certify,
  issuingKeysDir: keysDir,
  onApprovalStep: (step) => {
    if (step === killedAt) process.kill(process.pid, 'SIGKILL')
  },
})
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)
const id = await sendCollection(ada)
process.stdout.write(`${id}\n`)
const { status, body } = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
// Where no step kills, the approval simply succeeds; on a slow machine after the call.
if (status !== 200 && status !== 202) throw new Error(`not approved: ${status} ${body}`)
await server.outbox.settle()
await server.close()
await certify.close()
