/**
 * A process of its own that approves one collection after the other until somebody kills it. Arguments: data folder, keys
 * folder. Prints a line once it has approved the first, by which everything is warm.
 */
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/disk.ts'
import { must, sendCollection } from './collections.ts'
import { openOwnServer } from './own-server.ts'

const [dataDir = '', keysDir = ''] = process.argv.slice(2)
const certify = openCertifyPool({ keysDir, threads: 1, workDir: incomingFolder(dataDir) })
const server = await openOwnServer({ dataDir, certify, issuingKeysDir: keysDir })
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)
for (let approved = 0; ; approved += 1) {
  if (approved === 1) process.stdout.write('warm\n')
  const id = await sendCollection(ada)
  must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
}
