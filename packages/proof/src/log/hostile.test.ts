import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProofError } from '../errors.ts'
import { formatInstancePolicy, parseInstancePolicy } from '../instance-policy.ts'
import { addStatusPage, certify, policy, sealProof } from '../testing/certified-example.ts'
import { startNumbers } from '../testing/start-numbers.ts'
import { writeUtf8 } from '../utf8.ts'
import { verifyDocument } from '../verify-document.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { openCommitment } from './commitment.ts'
import { openNote, parseNote, parseVerifierKey } from './note.ts'
import { openCheckpoint } from './open-checkpoint.ts'
import { parsePolicy } from './policy.ts'
import { parseProofExtra } from './proof-extra.ts'
import { parseStatement } from './statements.ts'
import { openStatusPage } from './status-page.ts'
import { parseEntriesPath, parseEntryBundle, parseTilePath } from './tiles.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'
import { judgeAddCheckpoint, parseAddCheckpoint, parseAddCheckpointAnswer, parseConflict } from './witness.ts'

const { proof, log } = await certify()
const { checkpoint, extra } = parseTlogProof(proof)
const statusPage = await addStatusPage(log, [7])
const page = parseTlogProof(statusPage)
const [line = ''] = checkpoint.split('\n\n').slice(1)
const keys = policy.log.logs.map(({ key }) => key)
const witnessed = { origin: 'proofs.example.org/log', keys, size: 1, root: new Uint8Array(32) }

/** Each reader with a text that it takes. */
const READERS: [name: string, sample: string, read: (text: string) => unknown][] = [
  ['parseNote', checkpoint, parseNote],
  ['openNote', checkpoint, (text) => openNote(text, keys)],
  ['openCheckpoint', checkpoint, (text) => openCheckpoint(text, policy.log)],
  ['parseCheckpoint', parseNote(checkpoint).text, parseCheckpoint],
  ['parseVerifierKey', policy.logPolicy.split(/\s/)[1]!, parseVerifierKey],
  ['parsePolicy', policy.logPolicy, parsePolicy],
  [
    'parseInstancePolicy',
    Buffer.from(formatInstancePolicy(policy)).toString(),
    (text) => parseInstancePolicy(writeUtf8(text)),
  ],
  ['parseTlogProof', proof, parseTlogProof],
  ['parseProofExtra', Buffer.from(extra!).toString(), (text) => parseProofExtra(writeUtf8(text))],
  ['parseStatement', '{"k":"genesis","o":"o","t":1,"v":1}', (text) => parseStatement(writeUtf8(text))],
  ['openCommitment', parseProofExtra(extra!).disclosures[0]!, (text) => openCommitment('', [text], [text])],
  ['openStatusPage', statusPage, (text) => openStatusPage(text, policy.log)],
  [
    'what a status page says',
    Buffer.from(page.extra!).toString(),
    (text) => openStatusPage(formatTlogProof({ ...page, extra: writeUtf8(text) }), policy.log),
  ],
  ['parseTilePath', 'tile/0/x001/x234/067.p/8', parseTilePath],
  ['parseEntriesPath', 'tile/entries/x001/067.p/8', parseEntriesPath],
  ['parseEntryBundle', '\0\u0003abc\0\u0001d', (text) => parseEntryBundle(writeUtf8(text))],
  ['parseAddCheckpoint', `old 1\n\n${checkpoint}`, (text) => judgeAddCheckpoint(witnessed, parseAddCheckpoint(text))],
  ['parseAddCheckpointAnswer', line, parseAddCheckpointAnswer],
  ['parseConflict', '17\n', parseConflict],
]

const PIECES = [
  '',
  '\n',
  '\n\n',
  ' ',
  '+',
  '=',
  '0',
  '-1',
  '9007199254740993',
  '\0',
  '\u2014',
  '\ud800',
  '"',
  '{',
  '[[[[',
  'null',
  '__proto__',
  ':',
  ',',
]

/** One place cut out, doubled, or replaced. */
function mutate(text: string, next: (below: number) => number): string {
  const from = next(text.length + 1)
  const to = Math.min(text.length, from + next(4))
  const part = next(3) === 0 ? text.slice(next(text.length), next(text.length)) : PIECES[next(PIECES.length)]!
  return text.slice(0, from) + part + text.slice(to)
}

for (const [name, sample, read] of READERS) {
  test(`${name} answers any text, or refuses it with a ProofError and nothing else`, async () => {
    const next = startNumbers(20_260_102)
    let text = sample
    for (let i = 0; i < 400; i++) {
      if (i % 4 === 0) text = sample
      text = mutate(text, next)
      try {
        await read(text)
      } catch (error) {
        assert.ok(error instanceof ProofError, `${name} of ${JSON.stringify(text.slice(0, 300))}: ${String(error)}`)
      }
    }
  })
}

test('no proof in a sealed file, and no status page beside it, makes verifying throw or call anything plainly valid', async () => {
  const next = startNumbers(20_260_102)
  for (let i = 0; i < 150; i++) {
    const changed = mutate(proof, next).toWellFormed()
    if (changed === proof) continue
    const report = await verifyDocument(sealProof(changed), { policy, now: 0, statusPage: mutate(statusPage, next) })
    assert.equal(report.steps.length, 10)
    const isPlainlyValid = report.verdict === 'valid' && report.remarks.length === 0
    assert.ok(!isPlainlyValid, JSON.stringify(changed))
  }
})
