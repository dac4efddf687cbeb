import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { needJudge } from '@proofdesk/certify/testing'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { writeStatusBits } from '@proofdesk/proof/log/status-page'
import { startTestServer } from '@proofdesk/server/testing'
import { approve, changeProof, moveExpiry } from '@proofdesk/server/testing/status-pages'
import { judgeLog } from './cli/log/judge-log.ts'
import { askLog, PATIENCE } from './cli/log/log-source.ts'
import { ForgedLog } from './testing/forged-log.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/proof.md')
const DAY_MS = 24 * 60 * 60 * 1000
const ZERO = hash('sha256', writeStatusBits(0, []), 'base64url')

/** Runs the script for each line of arguments, so that Python is started once. */
const DRIVER = `
import contextlib, io, json, sys
script = compile(open('log.py').read(), 'log.py', 'exec')
for line in sys.stdin:
    sys.argv = ['log.py', *json.loads(line)]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(script, {})
        told = 'adds up'
    except Exception as error:
        told = str(error)
    print(json.dumps(told), flush=True)
`

let cwd: string
before(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'proofdesk-log-document-'))
  const scripts = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)]
  await writeFile(join(cwd, 'log.py'), scripts.find(([, script]) => script!.includes('urllib'))?.[1] ?? '')
})
after(() => rm(cwd, { recursive: true }))

/** What a log is to both: that it adds up, or why it does not. */
interface Told {
  command: string
  script: string
}

type Tell = (log: ForgedLog, url: string, remembered?: string) => Promise<Told>

function openJudges(t: { after(end: () => unknown): unknown }): Tell {
  const child = spawn('python3', ['-c', DRIVER], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return async (log, url, remembered) => {
    await writeFile(join(cwd, 'policy.json'), log.policyBytes)
    const [, size, root] = remembered?.split('\n') ?? []
    const seen = remembered === undefined ? [] : [size, root]
    child.stdin.write(`${JSON.stringify([url, 'policy.json', ...seen])}\n`)
    const head = remembered === undefined ? null : (await openCheckpoint(remembered, log.policy.log)).checkpoint
    const source = askLog(`${url}/log`, new AbortController().signal, { ...PATIENCE, attempts: 1 })
    const command = await judgeLog(source, { policy: log.policy, now: log.time * 1000, remembered: head }).then(
      ({ verdict }) => verdict,
      (error: Error) => error.name,
    )
    const line = await lines.next()
    assert.ok(!line.done)
    return { command, script: JSON.parse(line.value) as string }
  }
}

const commitment = (name: string) => hash('sha256', name, 'base64url')
const bytesOf = (entry: string) => new TextEncoder().encode(entry)

/** The entries of a server, with all that the log knows. */
async function readEntries(t: Parameters<typeof startTestServer>[0]): Promise<string[]> {
  const server = await startTestServer(t, 'sqlite')
  const tend = async () => {
    await server.sweep()
    await server.deps.log.tend()
    await server.deps.log.sign()
  }
  const [one, other] = [await approve(server), await approve(server, 30 * DAY_MS)]
  await changeProof(server, 'revoke', one)
  await tend()
  await moveExpiry(server, other, new Date(server.clock.now() + DAY_MS).toISOString())
  await changeProof(server, 'reinstate', one)
  await tend()
  server.clock.advance(2 * DAY_MS)
  await tend()
  const rows = await server.deps.db.selectFrom('log_entries').select('entry').orderBy('leaf_index').execute()
  return rows.map(({ entry }) => entry)
}

describe('14.104 what docs/proof.md says and the command are of one mind', () => {
  test('14.104 … on the log of a server in which entries were changed, left out, moved or added', async (t) => {
    if (!needJudge(t, 'python3', 'openssl')) return
    const tell = openJudges(t)
    const honest = await readEntries(t)
    const { o: origin, t: begun } = JSON.parse(honest[0]!) as { o: string; t: number }
    const log = new ForgedLog(origin)
    log.time = Math.max(...honest.map((entry) => (JSON.parse(entry) as { t: number }).t))
    const url = await log.serve(t)
    const revoke = (ref: string, rest = '"v":1') =>
      `{"c":"${commitment(ref + rest)}","k":"revoke","ref":${ref},"t":${begun},${rest}}`
    const status = (n: number, p = 0, h = ZERO) => `{"h":"${h}","k":"status","n":${n},"p":${p},"t":${begun},"v":1}`
    const end = honest.length
    for (const [entries, command, script] of [
      [honest, 'consistent', /adds up/],
      // The revocation that the first list has, its place, and that of what it is about.
      [honest.toSpliced(4, 1, honest[1]!), 'contradicted', /page 0 of entry 5 is false/],
      [honest.toSpliced(4, 2, honest[5]!, honest[4]!), 'contradicted', /of a tree to come/],
      [honest.toSpliced(2, 1), 'contradicted', /of a tree to come/],
      [[...honest, revoke('2'), status(end + 1)], 'contradicted', /is false/],
      [[...honest, revoke('2')], 'consistent', /adds up/],
      // What refers ahead, or to itself, changes nothing.
      [[...honest, revoke(String(end)), revoke(String(end + 5)), honest[2]!, honest.at(-1)!], 'consistent', /adds up/],
      [[...honest, status(end + 1)], 'contradicted', /of a tree to come/],
      [[...honest, status(end, 1)], 'contradicted', /of a tree to come/],
      ...[
        revoke('2', '"v":2'),
        revoke('2', '"v":true'),
        revoke('2', '"v":1.0'),
        revoke('2', '"u":1,"v":1'),
        revoke('2', '"v":1,"v":1'),
        revoke('2.0'),
        revoke('true'),
        revoke('-0'),
        revoke('9007199254740992'),
        revoke(' 2'),
        `{"k":"revoke","ref":2,"t":${begun},"v":1}`,
        `{"k":"annul","ref":2,"t":${begun},"v":1}`,
        `{"c":"${commitment('x')}","k":"amend","ref":2,"t":8640000000001,"v":1}`,
        `{"c":"${commitment('x')}","k":"amend","ref":2,"t":1,"v":1,"x":100000001}`,
        `{"c":"${commitment('x')}","k":"amend","ref":2,"t":1,"v":1,"x":null}`,
        `{"k":"genesis","o":"\\u00e9","t":1,"v":1}`,
        `{"k":"genesis","o":"${'x'.repeat(256)}","t":1,"v":1}`,
        `{"k":"key","op":"add","size":1,"t":1,"use":"doc","v":1,"x5t":"${ZERO}"}`,
        '[]',
        '',
        '{"a":'.repeat(3000),
      ].map((odd) => [[...honest, odd], 'newer', new RegExp(`^entry ${end} is of a newer kind`)] as const),
      ...[
        `{"k":"genesis","o":"é \\"\\\\","t":1,"v":1}`,
        `{"k":"key","op":"revoke","size":1,"t":1,"use":"log","v":1,"x5t":"${ZERO}"}`,
        `{"c":"${commitment('x')}","k":"amend","ref":2,"t":${begun},"v":1,"x":100000000}`,
      ].map((right) => [[...honest, right], 'consistent', /adds up/] as const),
    ] as const) {
      log.rewrite(entries.map(bytesOf))
      const told = await tell(log, url)
      assert.equal(told.command, command, entries.slice(-2).join('\n'))
      assert.match(told.script, script, entries.slice(-2).join('\n'))
    }
    for (const odd of [Buffer.from(revoke('2'), 'utf16le'), Buffer.from([...bytesOf(revoke('2')), 0xff])]) {
      log.rewrite([...honest.map(bytesOf), new Uint8Array(odd)])
      const told = await tell(log, url)
      assert.deepEqual([told.command, /newer kind/.test(told.script)], ['newer', true], told.script)
    }
  })

  test('14.104 … on what changed while a list was made, whatever the order in which it was committed', async (t) => {
    if (!needJudge(t, 'python3', 'openssl')) return
    const tell = openJudges(t)
    for (const [revoked, command, script] of [
      [[], 'consistent', /adds up/],
      // The second was committed before the first.
      [[2], 'consistent', /adds up/],
      [[1, 2], 'consistent', /adds up/],
      [[3], 'contradicted', /page 0 of entry 6 is false/],
    ] as const) {
      const log = new ForgedLog()
      for (let n = 0; n < 3; n++) log.approve()
      log.revoke(1)
      log.revoke(2)
      log.makePage(revoked, 4)
      const url = await log.serve(t)
      log.answers.set('/log/status/0', (_, reply) => void reply.writeHead(204).end())
      const told = await tell(log, url)
      assert.equal(told.command, command, String(revoked))
      assert.match(told.script, script, String(revoked))
    }
  })

  test('14.104 … on heads that were seen before, and on what is handed out otherwise than it was signed', async (t) => {
    if (!needJudge(t, 'python3', 'openssl')) return
    const tell = openJudges(t)
    const log = new ForgedLog()
    for (let n = 0; n < 3; n++) log.approve()
    const url = await log.serve(t)
    for (const size of [0, 1, 4]) {
      const told = await tell(log, url, await log.signHead(size))
      assert.deepEqual(told, { command: 'consistent', script: 'adds up' })
    }
    const claim = await log.signClaim({ size: 3 })
    assert.deepEqual(await tell(log, url, claim), { command: 'contradicted', script: 'its past was changed' })
    const later = await log.signClaim({ size: 5 })
    const less = { command: 'UnreadLog', script: 'less than was seen before: a cache may show an old head' }
    assert.deepEqual(await tell(log, url, later), less)

    const bundle = log.entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry])
    const last = log.entries.at(-1)!.length
    const longer = Buffer.concat(bundle)
    longer.writeUInt16BE(last + 1, longer.length - last - 2)
    for (const body of [longer, Buffer.concat(bundle.slice(0, -2)), Buffer.concat([...bundle, Buffer.of(0)])]) {
      log.answers.set('/log/tile/entries/000.p/4', (_, reply) => void reply.end(body))
      assert.deepEqual(await tell(log, url), { command: 'UnreadLog', script: 'entries are missing' })
    }
    log.answers.clear()
    const head = await log.signHead()
    for (const [shown, command, script] of [
      [`${head}— other.example/x ${Buffer.from('signature').toString('base64')}\n`, 'consistent', /adds up/],
      [`\ufeff${head}`, 'ProofError', /./],
      [head.replaceAll('\n', '\r\n'), 'ProofError', /no signed head/],
      [head.slice(0, -1), 'ProofError', /no signed head/],
      [Buffer.from([...bytesOf(head), 0xff]), 'UnreadLog', /invalid start byte/],
    ] as const) {
      log.answers.set('/log/checkpoint', (_, reply) => void reply.end(shown))
      const told = await tell(log, url)
      assert.equal(told.command, command, String(shown))
      assert.match(told.script, script, String(shown))
    }
    const empty = new ForgedLog()
    empty.rewrite([])
    assert.deepEqual(await tell(empty, await empty.serve(t)), { command: 'consistent', script: 'adds up' })
  })
})
