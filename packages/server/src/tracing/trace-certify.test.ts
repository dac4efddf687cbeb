import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertifyPool } from '@proofdesk/certify/pool'
import { traceCertify } from './trace-certify.ts'

const METHODS: Record<keyof CertifyPool, true> = {
  inspect: true,
  prepare: true,
  build: true,
  seal: true,
  verify: true,
  drawThumbnail: true,
  processIds: true,
  close: true,
}

test('17.20 what the parsing processes are asked is the same whether it is traced or not', async () => {
  const asked: [string, unknown[]][] = []
  const pool = Object.fromEntries(
    Object.keys(METHODS).map((name) => [name, (...words: unknown[]) => (asked.push([name, words]), name)]),
  )
  const traced = traceCertify(pool as unknown as CertifyPool) as unknown as Record<
    string,
    (...words: unknown[]) => unknown
  >
  const expected: typeof asked = []
  for (const name of Object.keys(METHODS)) {
    // More than any of them takes today: one that is added later must not be dropped either.
    const words = [1, 2, 3, 4].map((at) => `${name} ${at}`)
    expected.push([name, words])
    assert.equal(await traced[name]?.(...words), name)
  }
  assert.deepEqual(asked, expected)
})
