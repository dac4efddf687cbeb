import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLogVectors } from '../testing/log-vectors.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { writeUtf8 } from '../utf8.ts'
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { openNote, parseVerifierKey } from './note.ts'
import { computeRoot } from './tiles.ts'
import { EMPTY_ROOT } from './tree.ts'

const ROOT64 = Buffer.from(EMPTY_ROOT).toString('base64')

testLogVectors(
  'the checkpoints that another log signed are opened, and hold the root of our tree',
  async ({ tessera_log_15 }) => {
    const key = parseVerifierKey(tessera_log_15.vkey)
    const log = new MemoryLog()
    await log.append(tessera_log_15.entries_utf8.map(writeUtf8))
    for (const [size, note] of Object.entries(tessera_log_15.checkpoints_by_size)) {
      const { text } = await openNote(note, [key])
      const checkpoint = parseCheckpoint(text)
      assert.deepEqual(checkpoint, {
        origin: key.name,
        size: Number(size),
        root: await computeRoot(Number(size), log.readTile),
      })
      assert.equal(formatCheckpoint(checkpoint), text)
    }
  },
)

testLogVectors('checkpoints that others refuse are refused', ({ checkpoint_body }) => {
  for (const text of checkpoint_body.reject) {
    assert.throws(() => parseCheckpoint(text), { name: 'ProofError', code: 'log_checkpoint' }, text)
  }
})

test('a checkpoint is read as it was written', async () => {
  const log = new MemoryLog()
  await log.append(listRecords(0, 3))
  for (const origin of ['example.com/log', 'go.sum database tree', 'ژورنال', 'a']) {
    const checkpoint = { origin, size: 3, root: log.root }
    assert.deepEqual(parseCheckpoint(formatCheckpoint(checkpoint)), checkpoint)
  }
})

test('a checkpoint of any other form is refused', () => {
  const texts = [
    '',
    `origin\n0\n${ROOT64}`,
    `origin\n0\n${ROOT64}\n\n`,
    `origin\n0\n${ROOT64}\nextension\n`,
    `\n0\n${ROOT64}\n`,
    `origin\n\n${ROOT64}\n`,
    `origin\n00\n${ROOT64}\n`,
    `origin\n01\n${ROOT64}\n`,
    `origin\n+1\n${ROOT64}\n`,
    `origin\n1 \n${ROOT64}\n`,
    `origin\n1e3\n${ROOT64}\n`,
    `origin\n9007199254740992\n${ROOT64}\n`,
    `origin\n٣\n${ROOT64}\n`,
    `origin\r\n0\n${ROOT64}\n`,
    `ori\tgin\n0\n${ROOT64}\n`,
    `ori\uD800gin\n0\n${ROOT64}\n`,
    `origin\n0\n${ROOT64.slice(0, -1)}\n`,
    `origin\n0\n${ROOT64.replace('=', '==')}\n`,
    `origin\n0\n${ROOT64.slice(0, -2)}V=\n`,
    `origin\n0\n${Buffer.alloc(31).toString('base64')}\n`,
    `${'o'.repeat(100_000)}\n0\n${ROOT64}\n`,
  ]
  for (const text of texts) {
    assert.throws(() => parseCheckpoint(text), { name: 'ProofError', code: 'log_checkpoint' }, text.slice(0, 99))
  }
})

test('what could not be read again is not written', () => {
  for (const changes of [
    { origin: '' },
    { origin: 'two\nlines' },
    { size: -1 },
    { size: 0.5 },
    { size: 2 ** 53 },
    { size: Number.NaN },
    { root: EMPTY_ROOT.slice(1) },
  ]) {
    assert.throws(() => formatCheckpoint({ origin: 'origin', size: 0, root: EMPTY_ROOT, ...changes }), {
      name: 'ProofError',
      code: 'log_checkpoint',
    })
  }
})
