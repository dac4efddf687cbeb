import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { StartFailure } from '../config/start-failure.ts'
import { addErased, ERASED_LIST, readErased, type Erased } from './erased-list.ts'

const MAC = 'A'.repeat(43)
const proof = (digit: string): Erased => ({ proof: digit.repeat(64) })
const user = (id: number): Erased => ({ user: { id, mac: MAC } })

async function makeKeysDir(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-erased-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'keys')
}

test('a list that is not there names nobody, and is made for its owner alone', async (t) => {
  const keysDir = await makeKeysDir(t)
  assert.deepEqual(await readErased(keysDir), { erased: [], digest: undefined })
  await addErased(keysDir, proof('a'))
  assert.deepEqual((await readErased(keysDir)).erased, [proof('a')])
  assert.equal((await stat(join(keysDir, ERASED_LIST))).mode & 0o777, 0o600)
})

test('a line stands in the list once, and whoever knows the list by its digest sees each that is added', async (t) => {
  const keysDir = await makeKeysDir(t)
  const digests: (string | undefined)[] = []
  for (const line of [proof('a'), user(7), proof('a'), user(7), user(8)]) {
    await addErased(keysDir, line)
    digests.push((await readErased(keysDir)).digest)
  }
  assert.deepEqual((await readErased(keysDir)).erased, [proof('a'), user(7), user(8)])
  assert.equal(digests[1], digests[3])
  assert.equal(new Set(digests).size, 3)
})

test('a line that a crash cut off spoils none that is added later, and counts for nothing', async (t) => {
  const keysDir = await makeKeysDir(t)
  await addErased(keysDir, proof('a'))
  const path = join(keysDir, ERASED_LIST)
  await appendFile(path, JSON.stringify(proof('b')).slice(0, 30))
  await addErased(keysDir, proof('c'))
  assert.deepEqual((await readErased(keysDir)).erased, [proof('a'), proof('c')])
  assert.ok((await readFile(path, 'utf8')).endsWith('\n'))
})

test('what is no line of ours counts for nothing', async (t) => {
  const keysDir = await makeKeysDir(t)
  await addErased(keysDir, user(7))
  const others = [
    { proof: 'A'.repeat(64) },
    { proof: 'a'.repeat(63) },
    { user: { id: 0, mac: MAC } },
    { user: { id: 7, mac: 'short' } },
    { user: { id: 7, mac: MAC, name: 'Ada' } },
    { ...proof('a'), title: 'Degree' },
    null,
  ]
  await writeFile(join(keysDir, ERASED_LIST), others.map((line) => `${JSON.stringify(line)}\n`).join(''))
  assert.deepEqual((await readErased(keysDir)).erased, [])
  await assert.rejects(addErased(keysDir, { proof: 'a name' }))
})

test('of lines that are added at once none is lost', async (t) => {
  const keysDir = await makeKeysDir(t)
  const lines = Array.from({ length: 20 }, (_, n) => user(n + 1))
  await Promise.all(lines.map((line) => addErased(keysDir, line)))
  const { erased } = await readErased(keysDir)
  assert.deepEqual(
    erased.toSorted((a, b) => ('user' in a && 'user' in b ? a.user.id - b.user.id : 0)),
    lines,
  )
})

test('a list that can be neither read nor written says so, and where it is', async (t) => {
  const keysDir = await makeKeysDir(t)
  await writeFile(keysDir, 'a file')
  const isTold = (error: unknown) => error instanceof StartFailure && error.message.includes(join(keysDir, ERASED_LIST))
  await assert.rejects(readErased(keysDir), isTold)
  await assert.rejects(addErased(keysDir, user(1)), isTold)
})
