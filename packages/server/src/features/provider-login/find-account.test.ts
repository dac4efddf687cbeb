import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { findOrMakeAccount } from './find-account.ts'

const IDENTITY = { provider: 'google', issuer: 'https://provider.example', subject: '7' } as const
const CLAIMS = { email: 'twins@example.org', email_verified: true }

for (const engine of ENGINES)
  test(`a first sign-in that another of the same person overtakes between two looks finds their account (${engine})`, async (t) => {
    const { deps } = await startTestServer(t, engine)
    const made: unknown[] = []
    const reads = deps.reads.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (made.length === 0) made.push(null, await findOrMakeAccount(deps, '192.0.2.1', IDENTITY, CLAIMS))
        return result
      },
    })
    const found = await findOrMakeAccount({ ...deps, reads }, '192.0.2.2', IDENTITY, CLAIMS)
    assert.deepEqual(found, made[1])
    assert.ok('userId' in found)
  })
