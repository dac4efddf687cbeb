import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { afterEach, beforeEach } from 'node:test'
import { ensureIssuingKeys, loadSigningKey } from './issuing-keys.ts'
import { needJudge, runJudge } from '../testing.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'certify-keys-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const organisation = 'Notariat Søn & دفتر'

test('Pitfall 11: the first start makes a CA and a document-signing certificate; later starts read the same', async () => {
  const first = await ensureIssuingKeys({ dir, organisation })
  const second = await ensureIssuingKeys({ dir, organisation: 'Another name' })
  assert.equal(first.isNew, true)
  assert.equal(second.isNew, false)
  assert.deepEqual({ ...second, isNew: true }, first)
  assert.match(first.caFingerprint, /^[0-9a-f]{64}$/)
  assert.notEqual(first.caFingerprint, first.leafFingerprint)
})

test('Keys are readable by their owner alone', async () => {
  await rm(dir, { recursive: true })
  await ensureIssuingKeys({ dir, organisation })
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
  assert.equal(await modeOf(dir), 0o700)
  assert.equal(await modeOf(join(dir, 'issuing')), 0o700)
  for (const name of await readdir(join(dir, 'issuing')))
    assert.equal(await modeOf(join(dir, 'issuing', name)), 0o600, name)
})

test('The certificates say what they are for, in the organisation’s own script, for ten years', async () => {
  const keys = await ensureIssuingKeys({ dir, organisation })
  const leaf = new X509Certificate(await readFile(keys.leafPath))
  const ca = new X509Certificate(keys.caPem)
  assert.equal(leaf.ca, false)
  assert.equal(ca.ca, true)
  assert.ok(leaf.subject.includes(organisation))
  assert.deepEqual(leaf.keyUsage?.slice(0, 2), ['1.3.6.1.5.5.7.3.36', '1.2.840.113583.1.1.5'])
  assert.equal(leaf.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  const years = (keys.expiresAt - Date.now()) / (365.25 * 86_400_000)
  assert.ok(years > 9.99 && years < 10.01, `${years} years`)
})

test('openssl verifies the chain', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const keys = await ensureIssuingKeys({ dir, organisation })
  const { code, text } = await runJudge('openssl', 'verify', '-x509_strict', '-CAfile', keys.caPath, keys.leafPath)
  assert.equal(code, 0, text)
})

test('Two starts at once agree on one set of keys', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => ensureIssuingKeys({ dir, organisation })))
  assert.equal(new Set(made.map((keys) => keys.caFingerprint)).size, 1)
  assert.equal(made.filter((keys) => keys.isNew).length, 1)
  assert.deepEqual(await readdir(dir), ['issuing'])
})

test('What a killed process left half-made does not count', async () => {
  const part = join(dir, 'issuing.part-abc123')
  await mkdir(part)
  await writeFile(join(part, 'ca.key.pem'), 'half a k')
  const keys = await ensureIssuingKeys({ dir, organisation })
  assert.equal(keys.isNew, true)
  assert.deepEqual(await readdir(dir), ['issuing'])
})

test('A passphrase encrypts the private keys, and is needed ever after', async () => {
  await ensureIssuingKeys({ dir, organisation, passphrase: 'correct horse' })
  assert.match(await readFile(join(dir, 'issuing', 'document-signing.key.pem'), 'utf8'), /BEGIN ENCRYPTED PRIVATE KEY/)
  await loadSigningKey(dir, 'correct horse')
  await assert.rejects(loadSigningKey(dir, 'wrong'), { code: 'keys_unreadable' })
  await assert.rejects(loadSigningKey(dir), { code: 'keys_unreadable' })
  await assert.rejects(ensureIssuingKeys({ dir, organisation }), { code: 'keys_unreadable' })
})

test('A missing file is a clear error and never leads to new keys', async () => {
  const { caFingerprint } = await ensureIssuingKeys({ dir, organisation })
  const path = join(dir, 'issuing', 'document-signing.cert.pem')
  const saved = await readFile(path)
  await rm(path)
  await assert.rejects(ensureIssuingKeys({ dir, organisation }), {
    code: 'keys_incomplete',
    message: /document-signing\.cert\.pem/,
  })
  await writeFile(path, saved)
  assert.equal((await ensureIssuingKeys({ dir, organisation })).caFingerprint, caFingerprint)
})

test('Files of another instance, and files that are no keys, are told apart from ours', async () => {
  await ensureIssuingKeys({ dir, organisation })
  const other = await mkdtemp(join(tmpdir(), 'certify-keys-'))
  await ensureIssuingKeys({ dir: other, organisation })
  const name = join('issuing', 'document-signing.key.pem')
  await writeFile(join(dir, name), await readFile(join(other, name)))
  await assert.rejects(ensureIssuingKeys({ dir, organisation }), { code: 'keys_foreign' })
  await writeFile(join(dir, name), 'no key at all')
  await assert.rejects(ensureIssuingKeys({ dir, organisation }), { code: 'keys_unreadable' })
  await rm(other, { recursive: true })
})

test('A keys folder that cannot be made is a clear error', async () => {
  const file = join(dir, 'a-file')
  await writeFile(file, '')
  await assert.rejects(ensureIssuingKeys({ dir: join(file, 'keys'), organisation }), { code: 'keys_unreadable' })
})
