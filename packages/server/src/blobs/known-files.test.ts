import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, open, rename, rm, utimes, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { openKnownFiles } from './known-files.ts'

const BYTES = Buffer.alloc(1_000_000, 'proof')
const EXPECTED = { size: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') }
const altered = (error: unknown) => error instanceof AppError && error.code === 'file_altered'

test('a stored file is read to its end once, and again when it was written to', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-known-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, BYTES)
  const known = openKnownFiles()

  /** @returns how often the file was read from. */
  async function check(expected = EXPECTED): Promise<number> {
    const file = await open(path)
    let reads = 0
    const counted = {
      stat: file.stat.bind(file),
      createReadStream: (...args: Parameters<FileHandle['createReadStream']>) => {
        reads += 1
        return file.createReadStream(...args)
      },
    } as unknown as FileHandle
    try {
      await known.mustBe(path, counted, expected)
      return reads
    } finally {
      await file.close()
    }
  }

  await t.test('once, however many ask at the same time', async () => {
    const reads = await Promise.all([check(), check(), check()])
    assert.equal(reads.filter((count) => count > 0).length, 1)
    assert.equal(await check(), 0)
  })

  await t.test('again when another SHA-256 is asked for, which it has not', async () => {
    await assert.rejects(check({ ...EXPECTED, sha256: '0'.repeat(64) }), altered)
    await assert.rejects(check({ ...EXPECTED, size: 1 }), altered)
    assert.ok((await check()) > 0)
  })

  await t.test('again when it was changed, also where its times of change were set back', async () => {
    const past = new Date('2020-01-01T00:00:00Z')
    await utimes(path, past, past)
    await check()
    const other = Buffer.from(BYTES)
    other[5] = 0
    await writeFile(path, other)
    await utimes(path, past, past)
    await assert.rejects(check(), altered)
    await writeFile(`${path}.new`, BYTES)
    await rename(`${path}.new`, path)
    assert.ok((await check()) > 0)
    assert.equal(await check(), 0)
  })
})
