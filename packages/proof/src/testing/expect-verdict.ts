import assert from 'node:assert/strict'
import { STEP_NAMES, type StepName } from '../document-verdict.ts'
import type { DocumentReport } from '../verify-document.ts'

/** The code of each step that did not pass. */
export function listCodes({ steps }: DocumentReport): Partial<Record<StepName, string>> {
  return Object.fromEntries(steps.flatMap(({ name, code }) => (code === undefined ? [] : [[name, code]])))
}

/** Compares the verdict and the codes of the steps that are named; all steps have to be there, in their order. */
export async function expectVerdict(
  report: DocumentReport | Promise<DocumentReport>,
  verdict: DocumentReport['verdict'],
  codes: Partial<Record<StepName, string>>,
): Promise<DocumentReport> {
  const told = await report
  const found = listCodes(told)
  const wanted = Object.fromEntries(Object.keys(codes).map((name) => [name, found[name as StepName]]))
  assert.deepEqual({ verdict: told.verdict, ...wanted }, { verdict, ...codes }, JSON.stringify(told.steps, null, 1))
  assert.deepEqual(
    told.steps.map(({ name }) => name),
    STEP_NAMES,
  )
  return told
}
