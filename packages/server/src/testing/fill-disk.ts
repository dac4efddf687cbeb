/**
 * A process of its own whose store is on a small disk: tries to upload, approve and seal while it is full, and again once
 * there is room. Arguments: folder on the small disk, folder with room, keys folder. Prints what happened as JSON.
 */
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { addFile, openCollection, sendCollection } from './collections.ts'
import { openOwnServer } from './own-server.ts'
import { makePdf } from './small-files.ts'
import { listExpectedFiles, listStoredFiles } from './stored-files.ts'

const [dataDir = '', databaseDir = '', keysDir = ''] = process.argv.slice(2)
const filler = join(dataDir, 'filler')
const certify = openCertifyPool({ keysDir, threads: 1, workDir: incomingFolder(dataDir) })
let atClaim = async () => {}
let ahead = 0
const server = await openOwnServer({
  dataDir,
  databaseDir,
  certify,
  issuingKeysDir: keysDir,
  now: () => Date.now() + ahead,
  onApprovalStep: (step) => (step === 'claimed' ? atClaim() : undefined),
})
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)

/** Leaves that much room on the disk. */
async function fill(freeBytes: number): Promise<void> {
  await rm(filler, { force: true })
  const { bavail, bsize } = await statfs(dataDir)
  await writeFile(filler, Buffer.alloc(bavail * bsize - freeBytes))
}

async function report(answer: { status: number; body: string }) {
  await server.outbox.settle()
  const { code } = JSON.parse(answer.body) as { code?: string }
  const stored = (await listStoredFiles(server.deps)).length
  const expected = (await listExpectedFiles(server)).length
  const intents = (await server.deps.db.selectFrom('blob_intents').select('key').execute()).length
  return { status: answer.status, code, left: stored - expected + intents }
}

const told: Record<string, unknown> = {}
const upload = (id: number) =>
  ada.upload('/contents/', { collection: String(id) }, { name: 'a.pdf', bytes: makePdf(1, 'Large', 400_000) })
const approve = (id: number) => sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })

const open = await openCollection(ada)
await addFile(ada, open)
await fill(100_000)
told['upload on a full disk'] = await report(await upload(open))
await rm(filler)
told['upload with room'] = await report(await upload(open))

const sent = await sendCollection(ada, makePdf(1, 'Large', 400_000))
await server.outbox.settle()
await fill(100_000)
told['approve on a full disk'] = await report(await approve(sent))
await rm(filler)
told['approve with room'] = await report(await approve(sent))

const held = await sendCollection(ada, makePdf(1, 'Large', 400_000))
await server.outbox.settle()
atClaim = () => fill(100_000)
server.deps.approvalWaitMs = 100
const answer = await approve(held)
await server.outbox.settle()
const { sealing } = JSON.parse((await sam.get(`/collections/${held}`)).body)
told['seal on a full disk'] = { status: answer.status, problem: sealing?.problem }
await rm(filler)
ahead += 120_000
await server.outbox.settle()
told['seal with room'] = await report(await ada.get(`/collections/${held}`))
told['sealed'] = JSON.parse((await ada.get(`/collections/${held}`)).body).proofid !== null

process.stdout.write(JSON.stringify(told))
await server.close()
await certify.close()
