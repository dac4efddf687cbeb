// Writes packages/proof/vectors: `node packages/proof/src/testing/write-vectors.ts`. Same code, same bytes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPaperVectors } from './paper-vectors.ts'
import {
  listCheckpointVectors,
  listCommitmentVectors,
  listNoteVectors,
  listPolicyVectors,
  listProofVectors,
  listStatementVectors,
} from './text-vectors.ts'
import { listConsistencyVectors, listInclusionVectors } from './tree-vectors.ts'

export const VECTORS = join(import.meta.dirname, '../../vectors')

/** Cases by the name of their file. */
export async function listVectors() {
  return {
    inclusion: await listInclusionVectors(),
    consistency: await listConsistencyVectors(),
    'signed-note': await listNoteVectors(),
    checkpoint: listCheckpointVectors(),
    'tlog-proof': listProofVectors(),
    policy: listPolicyVectors(),
    statement: listStatementVectors(),
    commitment: listCommitmentVectors(),
    paper: await listPaperVectors(),
  }
}

/** One case a line, so that a change shows where it is. */
export function writeCases(cases: readonly object[]): string {
  return `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`
}

if (import.meta.main) {
  mkdirSync(VECTORS, { recursive: true })
  for (const [name, cases] of Object.entries(await listVectors())) {
    writeFileSync(join(VECTORS, `${name}.json`), writeCases(cases))
  }
}
