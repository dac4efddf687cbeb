// Nothing but certifying: the same prepared document of one page is built and sealed again and again, so many at once, by the
// processes the product does it with: `node build-and-seal.ts MS FOLDER FILE CALLERS`. Tells as JSON how often.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { openCertifyPool } from '@proofdesk/certify/pool'
import type { CertificateFields, SourceDocument } from '@proofdesk/certify/types'
import { makeProofId } from '@proofdesk/proof/proof-id'

const [lasts, home = '.', source = '', callers] = [
  Number(process.argv[2]),
  process.argv[3],
  process.argv[4],
  Number(process.argv[5]),
]
/** About the size of what a proof carries of the log. */
const CARRIED = new Uint8Array(2000).fill(0x70)

const folder = mkdtempSync(join(home, 'build-and-seal-'))
const keysDir = join(folder, 'keys')
await ensureIssuingKeys({ dir: keysDir, organisation: 'Proofdesk' })
const pool = openCertifyPool({ keysDir, workDir: folder })
const bytes = readFileSync(source)
const document: SourceDocument = {
  path: source,
  type: 'PDF',
  title: 'scan',
  fileName: 'scan.pdf',
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  isPictured: false,
}
const preparedPath = join(folder, 'prepared')
const prepared = await pool.prepare({
  documents: [document],
  title: 'Degree certificate',
  outPath: preparedPath,
  maxPages: 1,
})
const originals = prepared.originals.map((original) => ({ ...document, ...original }))

await certify(0)
const begin = performance.now()
let [begun, done] = [0, 0]
const goOn = async () => {
  while (performance.now() - begin < lasts) {
    await certify((begun += 1))
    done += 1
  }
}
await Promise.all(Array.from({ length: callers }, goOn))
const seconds = (performance.now() - begin) / 1000
await pool.close()
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify({ count: done, seconds }))

async function certify(turn: number): Promise<void> {
  const outPath = join(folder, `built-${turn}`)
  const reviewDocument = { path: preparedPath, sizeBytes: prepared.sizeBytes, sha256: prepared.sha256 }
  const { facts, sha256 } = await pool.build({ fields: describe(), reviewDocument, originals, outPath })
  await pool.seal({ path: outPath, sha256, facts, signedAt: Date.now(), proof: CARRIED })
  rmSync(outPath)
}

function describe(): CertificateFields {
  const now = Date.now()
  return {
    proofId: makeProofId(randomBytes(32)),
    organisation: 'Proofdesk',
    isTestInstance: true,
    title: 'Degree certificate',
    username: 'ada.lovelace',
    reviewer: 'grace.hopper',
    description: 'Compared with the register.',
    submission: { number: 1, digest: '5d'.repeat(32), documentSha256: prepared.sha256 },
    submittedAt: now,
    approvedAt: now,
    expiresAt: null,
    verifyUrl: 'http://127.0.0.1:8000/service-content',
    code: { address: 'http://127.0.0.1:8000/service-content#', data: '2KCE'.padEnd(416, 'PAPER234567') },
  }
}
