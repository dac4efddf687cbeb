// Writes docs/sql anew: node packages/server/src/testing/sql/write-docs.ts [paths of tests]
// With paths, what these tests send is added to what stands there; without, all tests of the server run, and what none
// of them sends goes. Where some fail, what the others sent is kept: --onto FOLDER with the paths of these adds to it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { STATEMENTS_FOLDER_VARIABLE, WRITING_VARIABLE } from './variables.ts'
import { readCollected } from './compare.ts'
import { DOCUMENTS_FOLDER, readDocuments, writeDocuments } from './documents.ts'
import { findComment } from './excuses.ts'
import { explainAll } from './explain-all.ts'
import { mergeSent } from './statements.ts'

const { values, positionals: paths } = parseArgs({ options: { onto: { type: 'string' } }, allowPositionals: true })
const folder = values.onto ?? mkdtempSync(join(tmpdir(), 'proofdesk-statements-'))
const isWhole = values.onto !== undefined || paths.length === 0
const root = join(DOCUMENTS_FOLDER, '../..')
const { status } = spawnSync(
  process.execPath,
  [join(root, 'scripts/run-tests.ts'), ...(paths.length > 0 ? paths : ['server'])],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [STATEMENTS_FOLDER_VARIABLE]: folder, [WRITING_VARIABLE]: '1' },
  },
)
if (status !== 0)
  throw new Error(
    `Tests failed, so what they send is not all there is: docs/sql stays as it was. Go on with --onto ${folder}`,
  )
const collected = readCollected(folder)
rmSync(folder, { recursive: true })
const known = isWhole ? [] : readDocuments().filter((statement) => findComment(statement) !== undefined)
const statements = mergeSent(
  [...known, ...collected].flatMap(({ engines, ...one }) => engines.map((engine) => ({ ...one, engine }))),
)
const documents = writeDocuments(statements, {
  sqlite: await explainAll('sqlite', statements),
  postgres: await explainAll('postgres', statements),
})
rmSync(DOCUMENTS_FOLDER, { recursive: true, force: true })
mkdirSync(DOCUMENTS_FOLDER)
for (const [name, text] of documents) writeFileSync(join(DOCUMENTS_FOLDER, name), text)
