import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Step, StepCode } from '@proofdesk/proof/document-verdict'
import { formatInstancePolicy, parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { formatVerifierKey, parseVerifierKey, signNote } from '@proofdesk/proof/log/note'
import { formatStatement } from '@proofdesk/proof/log/statements'
import { formatStatusPage, makeStatusStatement, writeStatusBits } from '@proofdesk/proof/log/status-page'
import { appendLeaves, listPeaks, proveInclusion, type ReadTile } from '@proofdesk/proof/log/tiles'
import { hashLeaf } from '@proofdesk/proof/log/tree'
import { signPaperCode, type PaperSigner } from '@proofdesk/proof/paper/paper-code'
import { startTestServer, type TestServer } from '@proofdesk/server/testing'
import { buildVerifier } from '../build.ts'
import { formatTime, listFields, sayStep } from './words.ts'

/** An approval, as all that a stranger is handed. */
interface Handed {
  folder: string
  pdf: string
  policy: string
}

const SOURCE = join(import.meta.dirname, 'cli/main.ts')
/** The approval is the third entry, after the beginning of the log and its key. */
const INDEX = 2
const RECEIPT = ['--receipt', 'receipt.txt', '--policy', 'policy.json'] as const

let handed: Handed
let revoked: string
let receipt: string
let paperKey: PaperSigner
let instance: TestServer
const ends: (() => Promise<void>)[] = []
const until = { after: (end: () => Promise<void>) => ends.push(end) }

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-verify-'))
  until.after(() => rm(folder, { recursive: true }))
  const server = await startTestServer(until)
  instance = server
  const write = async (name: string, bytes: string | Uint8Array) => {
    await writeFile(join(folder, name), bytes)
    return join(folder, name)
  }
  paperKey = server.deps.paperKey
  const policy = (await server.inject('/log/instance-policy')).rawPayload
  handed = { folder, pdf: await write('lease.pdf', await approve(server)), policy: await write('policy.json', policy) }
  receipt = await write('receipt.txt', await askReceipt(server))
  revoked = await write('revoked.page', await writeStatus(server, [INDEX], Math.floor(Date.now() / 1000)))
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** When the document was approved, in seconds, as its entry in the log says. */
async function readApproval(): Promise<{ approvedAt: number }> {
  const { out } = await verify('lease.pdf', '--policy', 'policy.json', '--json')
  const { steps } = JSON.parse(out) as { steps: { name: string; details: { time: number } }[] }
  return { approvedAt: steps.find(({ name }) => name === 'entry')!.details.time }
}

/** What a stranger is given who asks the instance about the document. */
async function askReceipt(server: TestServer): Promise<string> {
  const { proofid } = await server.deps.db.selectFrom('proofs').select('proofid').executeTakeFirstOrThrow()
  const answer = await server.stranger.post('/service-content-servers/receipt/', { proofid, username: 'ada' })
  assert.equal(answer.status, 200, answer.body)
  return answer.json().receipt
}

async function approve(server: TestServer): Promise<Uint8Array> {
  const ada = await server.signIn('ada')
  const { id } = (await ada.post('/collections/', { title: 'Lease agreement' })).json()
  // As an instance could write it that keeps to no rule.
  const hostile = { title: 'Lease \u001b[31magreement' }
  await server.deps.db.updateTable('collections').set(hostile).where('id', '=', id).execute()
  const file = { name: 'lease.pdf', bytes: makePdf() }
  assert.equal((await ada.upload('/contents/', { collection: String(id) }, file)).status, 201)
  assert.equal((await ada.post(`/collections/${id}/save/`)).status, 200)
  const sam = await server.signIn('sam', { is_staff: true })
  const approval = { admin_desc: 'All seen', expire_time: '2040-01-02T03:04:05Z' }
  const { proofid } = (await sam.post(`/admin/${id}/approve/`, approval)).json()
  const asked = new URLSearchParams({ proofid, username: 'ada' })
  const answer = await server.inject(`/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)
  assert.equal(answer.statusCode, 200)
  return answer.rawPayload
}

/** A page of revocations, as this log would sign it. @param time of the page, in seconds */
async function writeStatus({ deps, config }: TestServer, indexes: number[], time: number): Promise<string> {
  const rows = await deps.db.selectFrom('log_entries').select('entry').orderBy('leaf_index').execute()
  const status = { page: 0, size: rows.length, time, bits: writeStatusBits(0, indexes) }
  const entries = [
    ...rows.map(({ entry }) => new TextEncoder().encode(entry)),
    formatStatement(makeStatusStatement(status)),
  ]
  const none = () => Promise.reject(new Error('the tree begins here'))
  const { size, root, tiles } = await appendLeaves(0, entries.map(hashLeaf), none)
  const readTile: ReadTile = async (level, _index, width) =>
    tiles.find((tile) => tile.level === level)!.data.slice(0, width * 32)
  const path = await proveInclusion(size - 1, size, readTile)
  const grown = { peaks: await listPeaks(rows.length, readTile), later: entries.slice(rows.length) }
  const key = createPrivateKey(await readFile(join(config.keysDir, 'log.key.pem'), 'utf8'))
  const { name, keyId } = parseVerifierKey(deps.log.verifierKey)
  const signer = { name, keyId, sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, key)) }
  const checkpoint = await signNote(formatCheckpoint({ origin: name, size, root }), [signer])
  return formatStatusPage({ ...status, ...grown }, { index: size - 1, path, checkpoint })
}

/** The code of a certificate in that title, signed by the instance unless told otherwise. */
function signCode(title: string, changes: Partial<PaperSigner> = {}): Promise<string> {
  const facts = {
    proofId: '7Q3K-9ZB4-M0XT-C8VN-K',
    username: 'ada',
    title,
    organisation: 'Test Registry',
    approvedAt: 1_767_323_045,
    expiresAt: Date.parse('2040-01-02T03:04:05Z') / 1000,
    pages: 3,
    filesRoot: 'ab'.repeat(32),
    reviewDocument: 'cd'.repeat(32),
  }
  return signPaperCode(facts, { ...paperKey, ...changes })
}

/** A PDF of one empty page. */
function makePdf(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 4\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return new TextEncoder().encode(file)
}

async function run(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd: handed.folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number }
}

const verify = (...args: string[]) => run(SOURCE, ...args)

/** Writes the certified PDF with changes. @returns its name. */
async function writeChanged(name: string, change: (bytes: Buffer) => void): Promise<string> {
  const bytes = await readFile(handed.pdf)
  change(bytes)
  await writeFile(join(handed.folder, name), bytes)
  return name
}

describe('the command', () => {
  test('15.13 a certified PDF is valid, ends with 0 and is told in words', async () => {
    const { out, err, code } = await verify('lease.pdf', '--policy', 'policy.json')
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^lease\.pdf: Valid, not witnessed\n {2}It was certified by Test Registry, and not a byte/)
    assert.match(out, /Owner: ada\n/)
    assert.match(out, /\[Passed\] It is entry 2 of a log of 3\n/)
    assert.match(out, /\[Undecided\] No independent witness has signed it \(not_witnessed\)/)
    // A title may not steer the terminal.
    assert.ok(!out.includes('\u001b'))
  })

  test('15.22 the command reads a receipt that the instance signed, and no other', async () => {
    const { code, out } = await verify(...RECEIPT)
    assert.equal(code, 0)
    assert.match(out, /^Signed by Test Registry: valid\n {2}Proof ID: ([0-9A-Z]{4}-){4}[0-9A-Z*~$=]\n/)
    await writeFile(join(handed.folder, 'ended.txt'), `${await readFile(receipt, 'utf8')}\n`)
    assert.equal((await verify('--receipt', 'ended.txt', '--policy', 'policy.json')).code, 0)
    // As a program gets it, saved as it came.
    await writeFile(join(handed.folder, 'answer.json'), JSON.stringify({ receipt: await readFile(receipt, 'utf8') }))
    assert.equal((await verify('--receipt', 'answer.json', '--policy', 'policy.json')).code, 0)
    for (const other of ['{"receipt":1}', '{', '{}', '{"receipt":"none"}']) {
      await writeFile(join(handed.folder, 'other.json'), other)
      assert.equal((await verify('--receipt', 'other.json', '--policy', 'policy.json')).code, 5, other)
    }
    const pdf = await readFile(handed.pdf)
    assert.ok(out.includes(createHash('sha256').update(pdf).digest('hex')))
    const changed = join(handed.folder, 'changed.txt')
    await writeFile(changed, (await readFile(receipt, 'utf8')).replace('"verdict":"valid"', '"verdict":"expired"'))
    const refused = await verify('--receipt', changed, '--policy', 'policy.json')
    assert.equal(refused.code, 5)
    assert.match(refused.out, /^This is no receipt that the organisation of the policy has signed\. \(log_signature\)/)
    assert.equal((await verify('--receipt', 'policy.json', '--policy', 'policy.json')).code, 5)
    assert.equal((await verify('--receipt', 'nowhere', '--policy', 'policy.json')).code, 2)
  })

  test('15.13 each other verdict has a code of its own', async () => {
    const altered = await writeChanged('altered.pdf', (bytes) => (bytes[bytes.length >> 1]! ^= 1))
    const { code, out } = await verify(altered, '--policy', 'policy.json')
    assert.equal(code, 5)
    assert.match(out, /: Altered\n/)
    assert.ok(!out.includes('Owner'))
    // Nine lines that say nothing would push the verdict out of sight.
    assert.equal(out.match(/was not looked at, since a step before it failed/g)?.length, 1)

    const expired = await verify('lease.pdf', '--policy', 'policy.json', '--at', '2040-01-02T03:04:05Z')
    assert.equal(expired.code, 7)
    assert.match(expired.out, /It was in force until 2040-01-02 03:04:05 UTC/)
    assert.equal((await verify('lease.pdf', '--policy', 'policy.json', '--at', '2040-01-02T03:04:04Z')).code, 0)

    const { approvedAt } = await readApproval()
    const asOf = (time: number) => ['--at', new Date(time).toISOString()]
    const early = await verify('lease.pdf', '--policy', 'policy.json', ...asOf(approvedAt * 1000 - 1))
    assert.equal(early.code, 9)
    assert.match(early.out, /: Not yet approved then\n/)
    const words = `It was approved on ${formatTime(approvedAt)}, after the time that was asked about`
    assert.equal(early.out.split(words).length, 3, early.out)
    assert.match(early.out, /Owner: ada/)
    assert.equal((await verify('lease.pdf', '--policy', 'policy.json', ...asOf(approvedAt * 1000))).code, 0)

    const { code: revokedCode, out: said } = await verify('lease.pdf', '--policy', 'policy.json', '--status', revoked)
    assert.equal(revokedCode, 6)
    assert.match(said, /: Revoked\n/)

    await writeFile(join(handed.folder, 'other.json'), makeOtherPolicy())
    assert.equal((await verify('lease.pdf', '--policy', 'other.json')).code, 4)
    await writeFile(join(handed.folder, 'plain.pdf'), makePdf())
    const plain = await verify('plain.pdf', '--policy', 'policy.json')
    assert.equal(plain.code, 4)
    // It may be a certified one that lost its seal on the way.
    assert.match(plain.out, /saved anew by some program: ask for the file as it was issued/)

    const newer = await verify(await writeNewer(), '--policy', 'policy.json')
    assert.deepEqual([newer.code, /Made by a newer version/.test(newer.out)], [8, true])

    const lack = join(handed.folder, 'lack.mjs')
    await writeFile(lack, "Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined })")
    const child = ['--import', lack, SOURCE, 'lease.pdf', '--policy', 'policy.json'] as const
    const unavailable = await run(...child)
    assert.deepEqual([unavailable.code, /Unavailable: not checked/.test(unavailable.out)], [3, true])
  })

  test('14.84 told to, it asks for the status page, and says as of when the approval was not revoked', async () => {
    await instance.sweep()
    await instance.deps.log.tend()
    const url = await instance.listen()
    const online = await writePolicyWith(`${url}/log/status/`)
    const { code, out } = await verify('lease.pdf', '--policy', online, '--online')
    assert.equal(code, 0)
    assert.equal((await verify('lease.pdf', '--policy', online, '--online', '--strict')).code, 0)
    assert.match(out, /\[Passed\] It was not revoked, as of \d{4}-/)
    assert.doesNotMatch(out, /Whether it was revoked/)
    const late = await verify('lease.pdf', '--policy', online, '--online', '--at', '2039-01-01T00:00:00Z')
    assert.match(late.out, /a newer list of revocations, as there should be each day, was not given/)
    for (const away of [`${url}/log/nowhere/`, 'http://127.0.0.1:1/']) {
      const unanswered = await verify('lease.pdf', '--policy', await writePolicyWith(away), '--online')
      assert.equal(unanswered.code, 0)
      assert.match(unanswered.out, /Whether it was revoked is not known here/)
      const strict = await verify('lease.pdf', '--policy', await writePolicyWith(away), '--online', '--strict')
      assert.equal(strict.code, 10)
    }
    const refused = await verify('lease.pdf', '--policy', await writePolicyWith('http://127.0.0.1:1/'), '--online')
    assert.match(refused.err, /could not be asked: fetch failed: bad port/)
    assert.equal((await verify('lease.pdf', '--policy', 'policy.json', '--strict')).code, 10)
    assert.equal((await verify('lease.pdf', '--policy', online, '--status', revoked, '--strict')).code, 6)
    for (const beside of [['--online'], ['--status', revoked], ['--strict']])
      assert.equal((await verify('--paper', 'ABC', '--policy', online, ...beside)).code, 2)
    assert.equal((await verify('lease.pdf', '--policy', online, '--online', '--status', revoked)).code, 2)
  })

  test('asked about a time before the list of revocations was made, it says of neither that it was so then', async () => {
    const { approvedAt } = await readApproval()
    const madeAt = approvedAt + 86_400
    for (const [indexes, words] of [
      [[], 'and does not tell how it was then'],
      [[INDEX], 'and says that it is revoked, but not since when'],
    ] as const) {
      await writeFile(join(handed.folder, 'later.page'), await writeStatus(instance, [...indexes], madeAt))
      const asked = ['lease.pdf', '--policy', 'policy.json', '--status', 'later.page', '--at'] as const
      const { code, out } = await verify(...asked, new Date((madeAt - 1) * 1000).toISOString())
      const said = `The list of revocations, of ${formatTime(madeAt)}, was made after the time that was asked about ${words}`
      // Beside the verdict, and where the steps are told.
      assert.equal(out.split(said).length, 3, out)
      assert.match(out, /\[Undecided\] .* \(status_later\)\n/)
      assert.doesNotMatch(out, /It was (?:not )?revoked, as of/)
      assert.equal(code, 0)
      const then = await verify(...asked, new Date(madeAt * 1000).toISOString())
      assert.equal(then.code, indexes.length === 0 ? 0 : 6)
    }
  })

  test('15.14 asked wrongly it says so and ends with 2', async () => {
    for (const [args, words] of [
      [[], /Which file\?/],
      [['lease.pdf'], /Name its file with --policy/],
      [['lease.pdf', '--policy', 'missing.json'], /^missing\.json: there is no such file\n/],
      [['lease.pdf', '--policy', 'lease.pdf'], /The policy cannot be used/],
      [['missing.pdf', '--policy', 'policy.json'], /^missing\.pdf: there is no such file\n$/],
      [['.', '--policy', 'policy.json'], /^\.: this is a folder, not a file\n$/],
      [['--receipt', 'missing.txt', '--policy', 'policy.json'], /^missing\.txt: there is no such file\n$/],
      [['lease.pdf', '--policy', 'policy.json', '--status', 'missing.page'], /^missing\.page: there is no such file\n/],
      [['lease.pdf', '--policy', 'policy.json', '--at', '2030-02-30T00:00:00Z'], /--at takes a time/],
      [['lease.pdf', '--policy', 'policy.json', '--at', 'tomorrow'], /--at takes a time/],
      [['lease.pdf', '--policy', 'policy.json', '--at', '2030-01-01'], /--at takes a time/],
      [['lease.pdf', '--policy', 'policy.json', '--nonsense'], /nonsense/],
      // A receipt may be about another document, and says how it was on its own day.
      [[...RECEIPT, 'lease.pdf'], /^A receipt is read alone: --receipt goes with --policy and nothing else\. /],
      [[...RECEIPT, '--paper', 'code'], /^A receipt is read alone/],
      [[...RECEIPT, '--at', '2030-01-01T00:00:00Z'], /^A receipt is read alone/],
      [[...RECEIPT, '--json'], /^A receipt is read alone/],
    ] as const) {
      const { code, err, out } = await verify(...args)
      assert.deepEqual([code, out], [2, ''], args.join(' '))
      assert.match(err, words)
    }
  })

  test('what never expires is told without a word that reads like a refusal', () => {
    assert.deepEqual(listFields({ exp: null }), [['In force until', 'No expiry']])
  })

  test('a list of revocations that cannot be used is told from none, and one of another past as evidence', () => {
    const say = (code: Step['code'], details: Step['details'] = {}) =>
      sayStep({ name: 'revocation', state: 'unknown', ...(code && { code }), details }, 'Test Registry')
    assert.equal(say('no_status'), 'Whether it was revoked is not known here')
    assert.match(say('log_proof'), /not known here: the list of revocations that was given cannot be used$/)
    assert.match(
      say('log_consistency', { heads: ['one', 'other'] }),
      /a tree for the list of revocations that contradicts .* keep them/,
    )
  })

  test('only a list of revocations that is older than one seen before is told as kept back', () => {
    const say = (code: StepCode) =>
      sayStep({ name: 'revocation', state: 'unknown', code, details: { asOf: 1_767_323_045 } }, 'Test Registry')
    assert.match(say('status_replayed'), /older than one that was seen before: how it is now is being kept back$/)
    const others = ['status_silent', 'status_behind', 'status_later', 'status_old', 'status_ahead'] as const
    for (const code of [...others, 'status_unwitnessed'] as const) {
      assert.doesNotMatch(say(code), /seen before|kept back/)
      assert.match(say(code), /2026-01-02 03:04:05 UTC/)
    }
    assert.match(say('status_silent'), /^It is newer than the list of revocations/)
    assert.match(say('status_behind'), /was given out before this document: a newer one is needed$/)
  })

  test('15.15 of several files the first that is not valid decides, and JSON is one object a line', async () => {
    const altered = await writeChanged('several.pdf', (bytes) => (bytes[60]! ^= 1))
    const { code, out } = await verify('lease.pdf', altered, 'lease.pdf', '--policy', 'policy.json', '--json')
    assert.equal(code, 5)
    const told = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      told.map(({ file, verdict }) => [file, verdict]),
      [
        ['lease.pdf', 'valid'],
        ['several.pdf', 'altered'],
        ['lease.pdf', 'valid'],
      ],
    )
    const first = told[0] as { remarks: string[]; fields: object; steps: object[]; policy: object }
    assert.deepEqual(first.remarks, ['not_witnessed', 'time_stated', 'revocation_unknown'])
    assert.partialDeepStrictEqual(first.fields, { sub: 'ada' })
    assert.equal(first.steps.length, 10)
    const { fingerprint } = parseInstancePolicy(new Uint8Array(await readFile(handed.policy)))
    assert.partialDeepStrictEqual(first.policy, { fingerprint })
  })

  test('16.13 the text of a printed code is judged alone, with the codes of files', async () => {
    const paper = `http://127.0.0.1:8000/service-content#${await signCode('Lease \u001b[31magreement')}`
    const { out, err, code } = await verify('--paper', paper, '--policy', 'policy.json', '--at', '2030-01-01T00:00:00Z')
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^Signed, revocation unknown\n {2}Test Registry signed what stands below\./)
    assert.match(out, /\n {2}Owner: ada\n/)
    assert.match(out, /\n {2}Valid until: 2 January 2040, 03:04 UTC\n/)
    assert.ok(!out.includes('\u001b'))

    const json = await verify('--paper', paper, '--policy', 'policy.json', '--json', '--at', '2040-01-02T03:04:05Z')
    assert.equal(json.code, 7)
    const told = JSON.parse(json.out) as { paper: string; claims: object }
    assert.partialDeepStrictEqual(told, { verdict: 'expired', code: null, claims: { username: 'ada', pages: 3 } })
    assert.ok(paper.endsWith(`#${told.paper}`))

    const early = await verify('--paper', paper, '--policy', 'policy.json', '--at', '2026-01-02T03:04:04Z')
    assert.equal(early.code, 9)
    assert.match(
      early.out,
      /^Signed, but not yet approved then\n {2}.*It was approved on 2026-01-02 03:04:05 UTC, after/,
    )

    for (const [changed, wanted] of [
      [`${paper.slice(0, -8)}AAAAAAAA`, 5],
      ['Lease agreement', 4],
      [await signCode('Lease', { keyId: new Uint8Array(8) }), 4],
    ] as const) {
      const refused = await verify('--paper', changed, '--policy', 'policy.json')
      assert.equal(refused.code, wanted)
      assert.doesNotMatch(refused.out, /Owner/)
    }
  })

  test('15.11 15.16 the same sources give the same bytes, and the command in one file says the same', async () => {
    const [one, other] = [join(handed.folder, 'one'), join(handed.folder, 'other')]
    assert.equal(await buildVerifier(one), await buildVerifier(other))
    for (const name of ['verify.html', 'verify.mjs'])
      assert.ok((await readFile(join(one, name))).equals(await readFile(join(other, name))), name)
    const page = await readFile(join(one, 'verify.html'), 'utf8')
    assert.ok(page.length < 160_000)
    // Nothing of this machine, and nothing that would be loaded.
    assert.ok(!page.includes(import.meta.dirname))
    assert.doesNotMatch(page, /<(?:script|img|iframe)[^>]* src=|@import|url\(/)
    const asked = ['lease.pdf', '--policy', 'policy.json', '--at', '2030-01-01T00:00:00Z']
    const bundled = await run(join(one, 'verify.mjs'), ...asked)
    assert.equal(bundled.code, 0)
    assert.deepEqual(bundled, await verify(...asked))
  })
})

/** The instance's policy, with another address of status pages. */
async function writePolicyWith(statusUrl: string): Promise<string> {
  const policy = parseInstancePolicy(new Uint8Array(await readFile(handed.policy)))
  const name = 'online.json'
  await writeFile(join(handed.folder, name), formatInstancePolicy({ ...policy, statusUrl }))
  return name
}

function makeOtherPolicy(): Uint8Array {
  const verifierKey = formatVerifierKey('other.example/log', new Uint8Array(32).fill(7))
  return formatInstancePolicy({
    organisation: 'Test Registry',
    logPolicy: `log ${verifierKey}\nquorum none\n`,
    independentWitnesses: [],
    pins: ['0'.repeat(64)],
    statusUrl: null,
  })
}

/** A file whose seal is not understood, with a proof of a version to come. */
async function writeNewer(): Promise<string> {
  const extra = Buffer.from('{"d":[],"e":{"k":"approve","t":1,"v":1},"l":2,"v":2}').toString('base64')
  const name = 'newer.pdf'
  await writeFile(join(handed.folder, name), `%PDF-9.0\nc2sp.org/tlog-proof@v1\nextra ${extra}\nindex 0\n\n`)
  return name
}
