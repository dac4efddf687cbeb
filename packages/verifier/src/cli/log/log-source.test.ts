import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ForgedLog, type Answer } from '../../testing/forged-log.ts'
import { judgeLog } from './judge-log.ts'
import { askLog, PATIENCE, UnreadLog } from './log-source.ts'

/** Of answers that are to come; a busy machine takes longer. */
const LONG_MS = 20_000
/** Of those that never do. */
const SHORT_MS = 300
const BUNDLE = '/log/tile/entries/000.p/5'

/** Four entries and a list of revocations. */
async function serve(t: { after(end: () => void): unknown }) {
  const log = new ForgedLog()
  for (let n = 0; n < 2; n++) log.approve()
  log.revoke(2)
  log.makePage([2])
  const url = await log.serve(t)
  const judge = (waitMs = LONG_MS) => {
    const source = askLog(`${url}/log`, new AbortController().signal, {
      ...PATIENCE,
      waitMs,
      pauseMs: 1,
      attempts: 2,
    })
    return judgeLog(source, { policy: log.policy, now: log.time * 1000, remembered: null })
  }
  return { log, url, judge }
}

const endless = (reply: ServerResponse): void => {
  const piece = Buffer.alloc(65_536)
  const go = () => {
    while (!reply.destroyed && reply.write(piece));
    if (!reply.destroyed) reply.once('drain', go)
  }
  go()
}

/** What nobody who asks for that path can use, by its name. */
const ODD: [name: string, answer: Answer, why: RegExp][] = [
  ['too large', (_, reply) => endless(reply), /longer than \d+ bytes/],
  [
    'packed into few bytes',
    (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40_000_000))),
    /longer than \d+ bytes/,
  ],
  ['never', () => undefined, /timeout/],
  ['slow', (_, reply) => void reply.write('x'), /timeout/],
  [
    'broken off',
    (_, reply) => {
      reply.writeHead(200, { 'content-length': '100' }).write('x')
      setTimeout(() => reply.destroy(), 20)
    },
    /terminated/,
  ],
  ['elsewhere', (_, reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /redirect/],
  ['an outage', (_, reply) => void reply.writeHead(503).end(), /answers 503/],
]

test('14.102 answers that are too large, slow, broken off or lead elsewhere end the reading, and say nothing of the log', async (t) => {
  const { log, judge } = await serve(t)
  assert.equal((await judge()).verdict, 'consistent')
  for (const [name, answer, why] of ODD) {
    for (const path of ['/log/checkpoint', '/log/status/0', BUNDLE]) {
      log.answers.clear()
      log.answers.set(path, answer)
      await assert.rejects(judge(why.source === 'timeout' ? SHORT_MS : LONG_MS), (error: Error) => {
        assert.ok(error instanceof UnreadLog, `${name} ${path}: ${error.stack}`)
        assert.ok(error.message.includes(path), error.message)
        assert.match(error.message, why, name)
        return true
      })
    }
  }
})

test('14.102 what comes for entries and is none, or too few or too many of them, is told so', async (t) => {
  const { log, judge } = await serve(t)
  const bundle = log.entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry])
  for (const body of [
    Buffer.from('<!doctype html><title>Welcome</title>'),
    Buffer.alloc(0),
    Buffer.concat(bundle.slice(0, -2)),
    Buffer.concat(bundle).subarray(0, -1),
    Buffer.concat([...bundle, ...bundle.slice(0, 2)]),
  ]) {
    log.answers.set(BUNDLE, (_, reply) => void reply.end(body))
    await assert.rejects(judge(), { name: 'UnreadLog' })
  }
  log.answers.set(BUNDLE, (_, reply) => void reply.writeHead(404).end())
  await assert.rejects(judge(), /there is none/)
  log.answers.set('/log/checkpoint', (_, reply) => void reply.end('<!doctype html>'))
  await assert.rejects(judge(), { code: 'log_note' })
})

test('14.102 what fails for a moment is asked for again, what is too large is not', async (t) => {
  const { log, judge } = await serve(t)
  log.answers.set(BUNDLE, (_, reply) => {
    log.answers.delete(BUNDLE)
    reply.writeHead(503).end()
  })
  assert.equal((await judge()).verdict, 'consistent')
  const count = () => log.asked.filter((path) => path === BUNDLE).length
  assert.equal(count(), 2)
  log.answers.set(BUNDLE, (_, reply) => endless(reply))
  await assert.rejects(judge())
  assert.equal(count(), 3)
})

test('14.102 a head of more entries than a program can read is no reason to begin', async (t) => {
  const { log, judge } = await serve(t)
  const head = await log.signHead()
  const claimed = await log.signClaim({ size: 2 ** 53 - 1 })
  log.answers.set('/log/checkpoint', (_, reply) => void reply.end(claimed))
  await assert.rejects(judge(), /more than this program reads/)
  assert.ok(log.asked.length < 1000, `${log.asked.length} were asked for`)
  log.answers.set('/log/checkpoint', (_, reply) => void reply.end(head))
  assert.equal((await judge()).verdict, 'consistent')
})

test('14.102 a log that answers each time, and so slowly that it would not end, is not waited for', async (t) => {
  const { log, url } = await serve(t)
  while (log.entries.length < 256 * 40) log.entries.push(log.entries[1]!)
  log.answers.set('/log/status/0', (_, reply) => void reply.writeHead(204).end())
  const judge = (eachMs: number) => {
    const source = askLog(`${url}/log`, new AbortController().signal, { ...PATIENCE, wholeMs: 500, eachMs })
    return judgeLog(source, { policy: log.policy, now: log.time * 1000, remembered: null })
  }
  const bundles = Array.from({ length: 40 }, (_, n) => `/log/tile/entries/0${String(n).padStart(2, '0')}`)
  for (const path of bundles) {
    log.answers.set(path, (_, reply) => void setTimeout(() => void log.answer(path, reply), 100))
  }
  await assert.rejects(judge(1), {
    name: 'UnreadLog',
    message: /it gave \d+ answers in \d+ seconds, which is too slow$/,
  })
  assert.ok(!log.asked.includes(bundles.at(-1)!), 'it is not read to its end')
  // As slow, and not too slow for so many.
  assert.equal((await judge(10_000)).report.size, 256 * 40)
})

test('14.102 what is no text, or has bytes before it that nobody signed, is not taken for what it would be without them', async (t) => {
  const { log, judge } = await serve(t)
  const [head, page] = [await log.signHead(), await log.showPage()]
  for (const [path, text] of [
    ['/log/checkpoint', head],
    ['/log/status/0', page],
  ] as const) {
    log.answers.set(path, (_, reply) => void reply.end(Buffer.concat([Buffer.from(text), Buffer.of(0xff)])))
    await assert.rejects(judge(), { name: 'UnreadLog', message: /the answer is no text$/ })
    log.answers.set(path, (_, reply) => void reply.end(`\ufeff${text}`))
    if (path === '/log/checkpoint') await assert.rejects(judge(), { code: 'log_signature' })
    else assert.equal((await judge()).report.findings[0]?.code, 'page_unusable')
    log.answers.clear()
  }
})
