import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { ForgedLog } from './testing/forged-log.ts'

const SOURCE = join(import.meta.dirname, 'cli/main.ts')

let folder: string
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'proofdesk-verify-log-'))))
after(() => rm(folder, { recursive: true }))

async function verify(...args: string[]) {
  const child = spawn(process.execPath, [SOURCE, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number }
}

/** Two approvals, the first of which is revoked, and their policy in a file. */
async function serve(t: { after(end: () => void): unknown }, revoked: number[] = [1]) {
  const log = new ForgedLog()
  log.approve()
  log.approve()
  log.revoke(1)
  log.makePage(revoked)
  await writeFile(join(folder, 'policy.json'), log.policyBytes)
  const url = await log.serve(t)
  return { log, url, asked: ['--log', url, '--policy', 'policy.json'] as const }
}

test('14.103 the command reads a whole log, says in words what it is, and ends with 0', async (t) => {
  const { url, asked } = await serve(t)
  const { out, err, code } = await verify(...asked)
  assert.deepEqual([code, err], [0, ''])
  assert.ok(out.startsWith(`${url}/log: It adds up\n`), out)
  assert.match(out, /\n {2}Entries: 5 \(1 genesis, 2 approve, 1 revoke, 1 status\)\n/)
  assert.match(out, /\n {2}No head was remembered: /)
  assert.match(
    out,
    /\n {2}List of revocations 0: of .* UTC, 1 revoked or ended among the first 4 entries, made 1 times\n/,
  )
  assert.match(out, /\n {2}Organisation: Forged Registry\n/)
  assert.match(out, /What a log cannot tell: /)
  // The address of the log itself, and with a slash.
  for (const address of [`${url}/`, `${url}/log`, `${url}/log/`])
    assert.equal((await verify('--log', address, '--policy', 'policy.json', '--strict')).code, 0)
  const json = await verify(...asked, '--json')
  const told = JSON.parse(json.out)
  assert.deepEqual(
    [told.log, told.verdict, told.report.size, told.report.findings, told.policy.organisation],
    [`${url}/log`, 'consistent', 5, [], 'Forged Registry'],
  )
})

test('14.103 a log that contradicts itself ends with 5, with the signed head and what contradicts it', async (t) => {
  const { asked, log } = await serve(t, [2])
  const { out, code } = await verify(...asked)
  assert.equal(code, 5)
  assert.match(out, /: It contradicts itself\n/)
  assert.match(out, /\n {2}! Entry 1 is revoked, .*, and list 0 \(entry 4\) does not say so \(bits_missing\)\n/)
  assert.match(out, /\n {2}! List 0 \(entry 4\) says that entry 2 is revoked, and no entry does \(bits_extra\)\n/)
  const head = await log.signHead()
  for (const line of head.trimEnd().split('\n')) assert.ok(out.includes(`  | ${line}\n`) || out.includes(`  | ${line}`))
  const { verdict, report } = JSON.parse((await verify(...asked, '--json')).out)
  assert.deepEqual(
    [verdict, report.findings[0]],
    ['contradicted', { code: 'bits_missing', count: 1, cases: [{ index: 1, page: 0, status: 4 }] }],
  )
})

test('14.99 day by day it remembers the head that it saw, and tells where the log does not continue it', async (t) => {
  const { log, asked } = await serve(t)
  const daily = [...asked, '--remember', 'seen.head'] as const
  const readSeen = () => readFile(join(folder, 'seen.head'), 'utf8')
  assert.match((await verify(...daily)).out, /No head was remembered/)
  const first = await readSeen()
  assert.equal(first, await log.signHead())
  log.approve()
  log.makePage([1])
  assert.match((await verify(...daily)).out, /\n {2}It continues the head that was remembered, of 5 entries\n/)
  const second = await readSeen()
  assert.equal(second, await log.signHead())
  assert.ok(!(await readdir(folder)).includes('seen.head.next'))

  const { entries } = log
  log.rewrite(entries.slice(0, 3))
  for (let n = 0; n < 9; n++) log.approve()
  log.makePage([])
  const { out, code } = await verify(...daily)
  assert.equal(code, 5)
  assert.match(
    out,
    /! The head that was remembered has the root [0-9a-f]{64} for 7 entries; .*: its past was changed \(rewritten\)\n/,
  )
  assert.doesNotMatch(out, /continues the head/)
  assert.equal(await readSeen(), second, 'it is the evidence')
  log.rewrite(entries.slice(0, 5))
  const old = await verify(...daily)
  assert.equal(old.code, 3)
  assert.match(old.out, /it shows 5 entries, and a head of 7 was seen before\n$/)
  assert.equal(await readSeen(), second)
  log.rewrite(entries)
  assert.equal((await verify(...daily)).code, 0)

  await writeFile(join(folder, 'seen.head'), 'none\n')
  const broken = await verify(...daily)
  assert.deepEqual([broken.code, broken.out], [2, ''])
  assert.match(broken.err, /^seen\.head: it holds no head that a log of this policy signed \(log_note\)\n$/)
  assert.equal(await readSeen(), 'none\n')
})

test('14.103 what stands in the place of the head that is remembered and is none is told at once, and left alone', async (t) => {
  const { log, asked } = await serve(t)
  await truncateNew(join(folder, 'large.head'), 1_000_001)
  await writeFile(join(folder, 'empty.head'), '')
  await mkdir(join(folder, 'folder.head'))
  execFileSync('mkfifo', [join(folder, 'pipe.head')])
  for (const [name, why] of [
    ['large.head', /too large to hold a head/],
    ['empty.head', /holds no head that a log of this policy signed/],
    ['folder.head', /this is a folder/],
    ['pipe.head', /no file that holds something/],
    ['policy.json/seen.head', /there is no such file/],
  ] as const) {
    log.asked.length = 0
    const { code, out, err } = await verify(...asked, '--remember', name)
    assert.deepEqual([code, out, log.asked], [2, '', []], err)
    assert.match(err, why)
  }
})

test('14.103 a head that cannot be remembered is told in a line, and ends with 2, whatever the log is', async (t) => {
  const { asked } = await serve(t)
  const { code, out, err } = await verify(...asked, '--remember', 'nowhere/seen.head')
  assert.equal(code, 2)
  assert.match(out, /: It adds up\n/)
  assert.match(err, /^nowhere\/seen\.head: the head could not be remembered: [^\n]*\n$/)
})

test('14.103 what somebody else put beside the file is not written through', async (t) => {
  const { asked } = await serve(t)
  await writeFile(join(folder, 'precious'), 'precious')
  await symlink('precious', join(folder, 'linked.head.next'))
  assert.equal((await verify(...asked, '--remember', 'linked.head')).code, 0)
  assert.equal(await readFile(join(folder, 'precious'), 'utf8'), 'precious')
  await rm(join(folder, 'linked.head.next'))
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.next')),
    [],
  )
})

test('14.99 of two runs at once the slower does not put its head in the place of another that nobody compared', async (t) => {
  const { log, asked } = await serve(t)
  const bundle = '/log/tile/entries/000.p/5'
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  log.answers.set(bundle, (_, reply) => {
    reached.resolve()
    void gate.promise.then(() => log.answer(bundle, reply))
  })
  const slow = verify(...asked, '--remember', 'shared.head')
  await reached.promise
  log.approve()
  assert.equal((await verify(...asked, '--remember', 'shared.head')).code, 0)
  const newer = await log.signHead()
  log.answers.clear()
  gate.resolve()
  const { code, err } = await slow
  assert.deepEqual([code, await readFile(join(folder, 'shared.head'), 'utf8')], [2, newer])
  assert.match(err, /^shared\.head: it was changed while the log was read, and was left alone\n$/)
  const both = await Promise.all([1, 2].map(() => verify(...asked, '--remember', 'shared.head')))
  assert.deepEqual(
    both.map((run) => run.code),
    [0, 0],
  )
})

const truncateNew = async (file: string, size: number): Promise<void> => {
  await writeFile(file, '')
  await truncate(file, size)
}

test('14.101 what convicts nobody is told, and ends with 10 where it counts; entries of a newer version end with 8', async (t) => {
  const { log, asked } = await serve(t)
  log.revoke(1)
  const odd = await verify(...asked)
  assert.equal(odd.code, 0)
  assert.match(odd.out, /\n {2}- Entry 5 revokes or reinstates entry 1, which was so already \(change_twice\)\n/)
  assert.equal((await verify(...asked, '--strict')).code, 10)
  log.entries.push(new TextEncoder().encode('{"k":"\\u001b[31mannul","ref":1,"t":1,"v":1}'))
  const newer = await verify(...asked)
  assert.equal(newer.code, 8)
  assert.match(newer.out, /: It has entries of a newer version\n/)
  assert.match(newer.out, /- Entry 6 is of the kind annul, version 1, in a form that is not known here/)
  // A name may not steer the terminal.
  assert.ok(!newer.out.includes('\u001b'))
  for (let n = 0; n < 12; n++) log.revoke(1)
  const { out } = await verify(...asked)
  assert.equal(out.match(/\(change_twice\)/g)?.length, 11)
  assert.match(out, /\n {2}- … 13 of these in all \(change_twice\)\n/)
})

test('14.103 of lists that could not be compared it does not say that they leave nothing out', async (t) => {
  const { log, asked } = await serve(t)
  const all = Array.from({ length: 11 }, () => log.approve())
  const size = log.entries.length
  for (const ref of all) log.revoke(ref)
  log.makePage(all, size)
  log.makePage([1, ...all])
  const { out, code } = await verify(...asked)
  assert.equal(code, 0)
  assert.match(out, /: It adds up\n {2}[^\n]* Not all could: one that could not may leave a revocation out\.\n/)
  assert.match(out, /\(status_unsure\)\n/)
  assert.doesNotMatch(out, /no revocation is left out/)
  assert.equal((await verify(...asked, '--strict')).code, 10)
})

test('14.102 a log that cannot be read ends with 3, and one of another key with 4', async (t) => {
  const { log, url, asked } = await serve(t)
  for (const answer of ['<!doctype html>', 'x'.repeat(200_000)]) {
    log.answers.set('/log/checkpoint', (_, reply) => void reply.end(answer))
    const { code, out } = await verify(...asked)
    assert.equal(code, 3)
    assert.match(out, /^http:.*\/log: (The log could not be read to its end|What was answered is no head)/)
  }
  log.answers.clear()
  const away = await verify('--log', `${url}/nowhere`, '--policy', 'policy.json', '--json')
  assert.deepEqual([away.code, JSON.parse(away.out).verdict], [3, null])
  const head = await log.signHead()
  const [line] = head.split('\n').slice(-2)
  const forged = head.replace(line!.slice(-8), line!.slice(-8, -4) + 'AAA=')
  log.answers.set('/log/checkpoint', (_, reply) => void reply.end(forged))
  const changed = await verify(...asked)
  assert.deepEqual([changed.code, /is no head .*\(log_signature\)\n$/.test(changed.out)], [4, true], changed.out)
  log.answers.clear()
  await writeFile(join(folder, 'other.json'), new ForgedLog().policyBytes)
  const other = await verify('--log', url, '--policy', 'other.json')
  assert.equal(other.code, 4)
  assert.match(other.out, /What was answered is no head that a log of this policy signed: .* \(log_trust\)\n$/)
})

test('15.14 asked wrongly about a log it says so and ends with 2', async () => {
  for (const [args, words] of [
    [['--log', 'https://a.example'], /Name its file with --policy/],
    [['--log', 'a.example', '--policy', 'policy.json'], /--log takes the address of an instance/],
    [['--log', 'file:///tmp', '--policy', 'policy.json'], /--log takes the address/],
    [['--log', 'https://u:p@a.example', '--policy', 'policy.json'], /--log takes the address/],
    [['--log', 'https://a.example/?x', '--policy', 'policy.json'], /--log takes the address/],
    [['--log', 'https://a.example', 'file.pdf', '--policy', 'policy.json'], /A log is read alone/],
    [['--log', 'https://a.example', '--at', '2030-01-01T00:00:00Z', '--policy', 'policy.json'], /A log is read alone/],
    [['--log', 'https://a.example', '--online', '--policy', 'policy.json'], /A log is read alone/],
    [['--log', 'https://a.example', '--receipt', 'r.txt', '--policy', 'policy.json'], /A log is read alone/],
    [['--log', 'https://a.example', '--paper', 'ABC', '--policy', 'policy.json'], /A log is read alone/],
    [
      ['--log', 'https://a.example', '--remember', '', '--policy', 'policy.json'],
      /--remember takes the name of a file/,
    ],
    [['--remember', 'head', 'file.pdf', '--policy', 'policy.json'], /--remember goes with --log/],
  ] as const) {
    const { code, err, out } = await verify(...args)
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, words)
  }
})
