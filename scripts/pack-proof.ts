// Packs packages/proof as it is published, into the working folder or a given one: node scripts/pack-proof.ts [FOLDER]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compileProof } from './proof-package/compile-proof.ts'

const target = resolve(process.argv[2] ?? '.')
const folder = mkdtempSync(join(tmpdir(), 'proofdesk-proof-'))
try {
  compileProof(folder)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder, stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
