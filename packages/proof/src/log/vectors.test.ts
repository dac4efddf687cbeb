import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromBase64, toBase64 } from '../base64.ts'
import { listVectors, VECTORS, writeCases } from '../testing/write-vectors.ts'
import type { PaperVector } from '../testing/paper-vectors.ts'
import type { CommitmentVector, NoteVector, TextVector } from '../testing/text-vectors.ts'
import type { ConsistencyVector, InclusionVector } from '../testing/tree-vectors.ts'
import { openPaperCode } from '../paper/paper-code.ts'
import { writeUtf8 } from '../utf8.ts'
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { openCommitment } from './commitment.ts'
import { openNote, parseVerifierKey } from './note.ts'
import { parsePolicy } from './policy.ts'
import { formatStatement, parseStatement } from './statements.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'
import { verifyConsistency, verifyInclusion } from './tree.ts'

function readCases<T>(name: string): T[] {
  return JSON.parse(readFileSync(join(VECTORS, `${name}.json`), 'utf8')) as T[]
}

/** Runs each case: it passes where it has no code, and fails with that code and no other error where it has one. */
async function judge<T extends { id: string; code?: string }>(
  cases: readonly T[],
  run: (vector: T) => unknown,
): Promise<void> {
  assert.ok(cases.some(({ code }) => code === undefined) && cases.some(({ code }) => code !== undefined))
  for (const vector of cases) {
    const attempt = async () => run(vector)
    if (vector.code === undefined) await assert.doesNotReject(attempt, vector.id)
    else await assert.rejects(attempt, { name: 'ProofError', code: vector.code }, vector.id)
  }
}

const read = (base64: string) => fromBase64(base64)!

test('the package’s own cases are those that their script writes', async () => {
  const vectors = await listVectors()
  assert.deepEqual(
    readdirSync(VECTORS).sort(),
    Object.keys(vectors)
      .map((name) => `${name}.json`)
      .sort(),
  )
  for (const [name, cases] of Object.entries(vectors)) {
    assert.equal(readFileSync(join(VECTORS, `${name}.json`), 'utf8'), writeCases(cases), name)
  }
})

test('every case of inclusion is judged as it says', () =>
  judge(readCases<InclusionVector>('inclusion'), ({ leafHash, path, root, ...place }) =>
    verifyInclusion({ ...place, leafHash: read(leafHash), path: path.map(read), root: read(root) }),
  ))

test('every case of consistency is judged as it says', () =>
  judge(readCases<ConsistencyVector>('consistency'), ({ oldRoot, newRoot, path, ...sizes }) =>
    verifyConsistency({ ...sizes, oldRoot: read(oldRoot), newRoot: read(newRoot), path: path.map(read) }),
  ))

test('every signed note is judged as it says', () =>
  judge(readCases<NoteVector>('signed-note'), ({ text, keys }) => openNote(text, keys.map(parseVerifierKey))))

test('every checkpoint is judged as it says, and written back to its bytes', () =>
  judge(readCases<TextVector>('checkpoint'), ({ text }) => assert.equal(formatCheckpoint(parseCheckpoint(text)), text)))

test('every proof file is judged as it says, and written back to its bytes', () =>
  judge(readCases<TextVector>('tlog-proof'), ({ text }) => assert.equal(formatTlogProof(parseTlogProof(text)), text)))

test('every policy is judged as it says', () => judge(readCases<TextVector>('policy'), ({ text }) => parsePolicy(text)))

test('every entry is judged as it says, and written back to its bytes', () =>
  judge(readCases<TextVector>('statement'), ({ text }) =>
    assert.equal(toBase64(formatStatement(parseStatement(writeUtf8(text)))), toBase64(writeUtf8(text))),
  ))

test('every commitment is judged as it says, and opens to its fields', () =>
  judge(readCases<CommitmentVector>('commitment'), ({ commitment, shown, hidden, fields }) =>
    assert.deepEqual(openCommitment(commitment, shown, hidden), fields),
  ))

test('16.2 16.3 every code on paper is judged as it says', () =>
  judge(readCases<PaperVector>('paper'), ({ text, keys }) => openPaperCode(text, keys)))
