import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { formatInstancePolicy, parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { cosign } from '@proofdesk/proof/log/cosignature'
import {
  computeKeyId,
  formatSignatureLine,
  formatVerifierKey,
  parseNote,
  SIGNATURE_TYPE,
} from '@proofdesk/proof/log/note'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { formatStatement } from '@proofdesk/proof/log/statements'
import { formatStatusPage, makeStatusStatement, PAGE_ENTRIES, writeStatusBits } from '@proofdesk/proof/log/status-page'
import { hashChildren, hashLeaf } from '@proofdesk/proof/log/tree'
import { ENGINES, startTestServer, type TestServer } from '@proofdesk/server/testing'
import { approve, changeProof, makePageWith, moveExpiry } from '@proofdesk/server/testing/status-pages'
import { ForgedLog } from '../../testing/forged-log.ts'
import { judgeLog, type LogJudgement } from './judge-log.ts'
import { askLog, PATIENCE as DEFAULT_PATIENCE } from './log-source.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PATIENCE = { ...DEFAULT_PATIENCE, waitMs: 1000, pauseMs: 1, attempts: 2 }

/** As somebody does who was given the address and the policy. */
async function judgeServer(server: TestServer, url: string, remembered: string | null = null): Promise<LogJudgement> {
  const policy = parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
  const source = askLog(`${url}/log`, new AbortController().signal)
  const head = remembered === null ? null : (await openCheckpoint(remembered, policy.log)).checkpoint
  return judgeLog(source, { policy, now: server.clock.now(), remembered: head })
}

async function judgeForged(log: ForgedLog, url: string, remembered: string | null = null): Promise<LogJudgement> {
  const source = askLog(`${url}/log`, new AbortController().signal, PATIENCE)
  const head = remembered === null ? null : (await openCheckpoint(remembered, log.policy.log)).checkpoint
  return judgeLog(source, { policy: log.policy, now: log.time * 1000, remembered: head })
}

/** Each case as its code and the entry that it is about. */
function listFound({ report }: LogJudgement): [code: string, place: unknown][] {
  return report.findings.flatMap(({ code, cases }) =>
    cases.map(({ index, page }): [string, unknown] => [code, index ?? page]),
  )
}

/** Goes on to the beginning of the next day (UTC), as time does: the server looks each hour what is due. */
async function goOn(server: TestServer): Promise<void> {
  server.clock.advance(DAY_MS - (server.clock.now() % DAY_MS) + 60_000)
  await tend(server)
}

async function tend(server: TestServer): Promise<void> {
  await server.sweep()
  await server.deps.log.tend()
  await server.deps.log.sign()
}

for (const engine of ENGINES)
  describe(`the whole log of an instance (${engine})`, () => {
    test('14.100 an honest log adds up, from its first day on, whatever was approved, revoked, reinstated and moved', async (t) => {
      const server = await startTestServer(t, engine)
      const url = await server.listen()
      await server.deps.log.sign()
      const fresh = await judgeServer(server, url)
      assert.deepEqual([fresh.verdict, fresh.report.findings, fresh.report.pages], ['consistent', [], []])
      const heads = [fresh.head]
      const judge = async () => {
        const judgement = await judgeServer(server, url, heads.at(-1))
        assert.deepEqual([judgement.verdict, judgement.report.findings], ['consistent', []])
        heads.push(judgement.head)
        return judgement.report
      }
      await goOn(server)
      const [one, other, limited] = [await approve(server), await approve(server), await approve(server, 30 * DAY_MS)]
      await judge()
      await tend(server)
      assert.equal((await judge()).pages[0]?.served?.revoked, 0)
      await changeProof(server, 'revoke', one)
      await server.deps.log.sign()
      await judge()
      await tend(server)
      assert.equal((await judge()).pages[0]?.served?.revoked, 1)
      await moveExpiry(server, limited, new Date(server.clock.now() + DAY_MS / 2).toISOString())
      await moveExpiry(server, other, new Date(server.clock.now() + 2 * DAY_MS).toISOString())
      await changeProof(server, 'reinstate', one)
      await tend(server)
      assert.equal((await judge()).pages[0]?.served?.revoked, 0)
      await goOn(server)
      assert.equal((await judge()).pages[0]?.served?.revoked, 1)
      await moveExpiry(server, other, null)
      // As it does by itself within seconds.
      await tend(server)
      await goOn(server)
      await goOn(server)
      await changeProof(server, 'revoke', limited)
      await server.restart()
      const again = await server.listen()
      await tend(server)
      const { verdict, report } = await judgeServer(server, again, heads[0])
      assert.deepEqual([verdict, report.findings, report.pages[0]?.served?.revoked], ['consistent', [], 1])
      // Those are of what was there before.
      assert.deepEqual(
        [report.kinds['approve'], report.kinds['revoke'], report.kinds['reinstate'], report.kinds['amend']],
        [3, 2, 1, 3],
      )
    })

    test('14.100 … also while it is revoked and reinstated, and lists are made and read, at once', async (t) => {
      const server = await startTestServer(t, engine)
      const url = await server.listen()
      const proofs = [await approve(server), await approve(server), await approve(server)]
      await server.signIn('sue', { is_superuser: true })
      const progress = { isDone: false }
      const work = Promise.all(
        proofs.map(async (proofid) => {
          for (let n = 0; n < 4; n++) await changeProof(server, n % 2 === 0 ? 'revoke' : 'reinstate', proofid)
        }),
      ).finally(() => (progress.isDone = true))
      const tending = (async () => {
        while (!progress.isDone) await server.deps.log.tend()
      })()
      let head: string | null = null
      let times = 0
      for (; !progress.isDone || times < 3; times++) {
        const judgement: LogJudgement = await judgeServer(server, url, head)
        assert.deepEqual([judgement.verdict, judgement.report.findings], ['consistent', []])
        head = judgement.head
      }
      await Promise.all([work, tending])
      await tend(server)
      const { report } = await judgeServer(server, url, head)
      assert.deepEqual([report.findings, report.pages[0]?.served?.revoked], [[], 0])
      assert.ok((report.kinds['status'] ?? 0) > 1)
    })

    test('14.96 an operator who leaves a revocation out of a list, or makes one up, is convicted by the whole log', async (t) => {
      const server = await startTestServer(t, engine)
      const url = await server.listen()
      const [one] = [await approve(server), await approve(server)]
      await changeProof(server, 'revoke', one)
      await server.deps.log.settle()
      await makePageWith(server, [])
      const missing = await judgeServer(server, url)
      assert.deepEqual([missing.verdict, listFound(missing)], ['contradicted', [['bits_missing', 2]]])
      await makePageWith(server, [2, 3])
      const extra = await judgeServer(server, url)
      assert.deepEqual(listFound(extra), [
        ['bits_extra', 3],
        ['page_false', missing.report.pages[0]?.served?.index],
      ])
      // What was signed once stays, whatever is shown later.
      await tend(server)
      await makePageWith(server, [2])
      const later = await judgeServer(server, url)
      assert.deepEqual(later.verdict, 'contradicted')
      assert.deepEqual(
        listFound(later).map(([code]) => code),
        ['page_false', 'page_false'],
      )
    })
  })

describe('a log that was forged with its own key', () => {
  /** Three approvals, of which the second is revoked. */
  async function forge(t: { after(end: () => void): unknown }) {
    const log = new ForgedLog()
    for (let n = 0; n < 3; n++) log.approve()
    log.revoke(2)
    return { log, url: await log.serve(t) }
  }

  test('14.96 a bit that is left out, one that is made up, and a list of a smaller set are found where it is served', async (t) => {
    for (const [bits, size, found] of [
      [[2], 5, []],
      [[], 5, [['bits_missing', 2]]],
      [[2, 3], 5, [['bits_extra', 3]]],
      // It speaks of how it was before, and brings what came after.
      [[], 4, []],
      [[3], 4, [['bits_extra', 3]]],
    ] as const) {
      const { log, url } = await forge(t)
      log.makePage(bits, size)
      assert.deepEqual(listFound(await judgeForged(log, url)), found)
    }
  })

  test('14.98 entries that are altered after they were logged, left out, or put in another order give another root', async (t) => {
    const { log, url } = await forge(t)
    log.makePage([2])
    const honest = [...log.entries]
    // From then on the tiles have what was signed.
    await log.signHead()
    for (const change of [
      () => void (log.entries[4] = log.entries[0]!),
      () => void log.entries.splice(1, 2, log.entries[2]!, log.entries[1]!),
    ]) {
      log.answers.set('/log/status/0', (_, reply) => void reply.writeHead(404).end())
      change()
      const judgement = await judgeForged(log, url)
      assert.equal(judgement.verdict, 'contradicted')
      assert.equal(judgement.report.findings[0]?.code, 'root')
      log.entries = [...honest]
    }
    log.answers.clear()
    assert.equal((await judgeForged(log, url)).verdict, 'consistent')
  })

  test('14.99 a head that does not continue the one that was remembered, is told with both roots; a smaller one is not taken for the log of now', async (t) => {
    const { log, url } = await forge(t)
    log.makePage([2])
    const before = await log.signHead()
    const same = await judgeForged(log, url, before)
    assert.deepEqual([same.verdict, same.report.rememberedSize], ['consistent', 6])
    log.approve()
    const later = await log.signHead()
    assert.equal((await judgeForged(log, url, before)).verdict, 'consistent')
    // The same key signs the older head again, as if the newer had never been.
    log.answers.set('/log/checkpoint', (_, reply) => void reply.end(before))
    log.answers.set('/log/status/0', (_, reply) => void reply.writeHead(204).end())
    const unread = { name: 'UnreadLog', message: 'it shows 6 entries, and a head of 7 was seen before' }
    await assert.rejects(judgeForged(log, url, later), unread)
    log.answers.clear()
    // And another history, longer than the first, without the revocation.
    log.rewrite(log.entries.slice(0, 4))
    for (let n = 0; n < 9; n++) log.approve()
    log.makePage([])
    const judgement = await judgeForged(log, url, before)
    assert.deepEqual([judgement.verdict, judgement.report.findings.length], ['contradicted', 1])
    const [finding] = judgement.report.findings
    assert.deepEqual([finding?.code, finding?.cases[0]?.['size']], ['rewritten', 6])
    assert.notEqual(finding?.cases[0]?.['signed'], finding?.cases[0]?.['found'])
    assert.equal((await judgeForged(log, url)).verdict, 'consistent', 'who remembers nothing sees nothing')
  })

  test('14.96 a page that the log does not have, or that is that of another part, is told as such', async (t) => {
    const { log, url } = await forge(t)
    log.makePage([2])
    const right = await log.showPage()
    const other = await forge(t)
    other.log.makePage([2])
    const foreign = await other.log.showPage()
    for (const [page, code] of [
      [right.replace('index 5', 'index 4'), 'log_status'],
      [right.replace('index 5', 'index 6'), 'log_range'],
      [foreign, 'log_trust'],
      ['<!doctype html>', 'log_proof'],
      ['', 'log_proof'],
    ] as const) {
      log.answers.set('/log/status/0', (_, reply) => void reply.end(page))
      const { verdict, report } = await judgeForged(log, url)
      assert.deepEqual(
        [verdict, report.findings],
        ['contradicted', [{ code: 'page_unusable', count: 1, cases: [{ page: 0, code }] }]],
      )
    }
  })

  test('14.96 a page of another part of the log than was asked for is none', async (t) => {
    const { log, url } = await forge(t)
    const index = log.makePage([], 5, 1)
    assert.deepEqual(listFound(await judgeForged(log, url)), [
      ['page_unusable', 0],
      ['status_shape', index],
    ])
  })

  test('14.99 of two logs of one policy neither is taken for the other', async (t) => {
    const { log, url } = await forge(t)
    const other = new ForgedLog('other.example/log')
    log.makePage([2])
    other.makePage([])
    const [otherKey] = other.policy.logPolicy.split('\n')
    const source = { ...log.policy, logPolicy: `${otherKey}\n${log.policy.logPolicy}` }
    const policy = parseInstancePolicy(formatInstancePolicy(source))
    const judge = async (remembered: string) =>
      judgeLog(askLog(`${url}/log`, new AbortController().signal, PATIENCE), {
        policy,
        now: log.time * 1000,
        remembered: (await openCheckpoint(remembered, policy.log)).checkpoint,
      })
    const [own, foreign] = [await log.signHead(), await other.signHead()]
    assert.deepEqual(listFound(await judge(own)), [])
    await assert.rejects(judge(foreign), { name: 'UnreadFile', message: /of another log, other\.example\/log$/ })
    const page = await other.showPage()
    log.answers.set('/log/status/0', (_, reply) => void reply.end(page))
    const { report } = await judge(own)
    assert.deepEqual(report.findings[0]?.cases, [{ page: 0, code: 'log_status' }])
  })

  test('14.101 a head that lacks the witnesses of the policy is told so, and who signed one that has them', async (t) => {
    const { log, url } = await forge(t)
    log.makePage([2])
    log.answers.set('/log/status/0', (_, reply) => void reply.writeHead(204).end())
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const name = 'witness.example/w'
    const logPolicy = log.policy.logPolicy.replace('quorum none', `witness w ${formatVerifierKey(name, raw)}\nquorum w`)
    const source = { ...log.policy, logPolicy, independentWitnesses: [name] }
    const terms = { policy: parseInstancePolicy(formatInstancePolicy(source)), now: log.time * 1000, remembered: null }
    const judge = () => judgeLog(askLog(`${url}/log`, new AbortController().signal, PATIENCE), terms)
    const alone = await judge()
    assert.deepEqual(
      [alone.verdict, listFound(alone), alone.cosignatures],
      ['consistent', [['not_witnessed', undefined]], []],
    )

    const keyId = computeKeyId(name, raw, SIGNATURE_TYPE.cosignature)
    const signer = { name, keyId, sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) }
    const head = await log.signHead()
    const line = formatSignatureLine(await cosign(parseNote(head).text, signer, log.time))
    log.answers.set('/log/checkpoint', (_, reply) => void reply.end(head + line))
    const seen = await judge()
    assert.deepEqual([listFound(seen), seen.cosignatures], [[], [{ name, time: log.time }]])
  })

  test('14.98 where a list is shown under a larger head than the newest, all up to that is read', async (t) => {
    const { log, url } = await forge(t)
    const before = await log.signHead()
    log.makePage([])
    log.answers.set('/log/checkpoint', (_, reply) => void reply.end(before))
    const judgement = await judgeForged(log, url)
    assert.deepEqual([judgement.report.size, listFound(judgement)], [6, [['bits_missing', 2]]])
  })

  test('14.96 … and each list that such a head calls for is asked for', async (t) => {
    const log = new ForgedLog()
    const url = await log.serve(t)
    const peak = new Uint8Array(32)
    const status = { page: 0, size: PAGE_ENTRIES, time: log.time, bits: writeStatusBits(0, []) }
    const entry = formatStatement(makeStatusStatement(status))
    const claim = { size: PAGE_ENTRIES + 1, root: hashChildren(peak, hashLeaf(entry)) }
    const proof = { index: PAGE_ENTRIES, path: [peak], checkpoint: await log.signClaim(claim) }
    const page = formatStatusPage({ ...status, peaks: [peak], later: [entry] }, proof)
    const before = await log.signClaim({ size: PAGE_ENTRIES, root: peak })
    log.answers.set('/log/checkpoint', (_, reply) => void reply.end(before))
    log.answers.set('/log/status/0', (_, reply) => void reply.end(page))
    for (let n = 0; n < 4; n++)
      log.answers.set(`/log/tile/entries/00${n}`, (_, reply) => void reply.writeHead(404).end())
    await assert.rejects(judgeForged(log, url), { name: 'UnreadLog', message: /entries\/000: there is none$/ })
    assert.deepEqual(
      log.asked.filter((path) => path.startsWith('/log/status/')),
      ['/log/status/0', '/log/status/1'],
    )
  })

  test('14.98 many bundles are read in their order, at most four at once', async (t) => {
    const { log, url } = await forge(t)
    while (log.entries.length < 256 * 9 + 7) log.approve()
    log.makePage([2])
    let [now, most] = [0, 0]
    for (let index = 0; index < 9; index++) {
      log.answers.set(`/log/tile/entries/00${index}`, (_, reply) => {
        most = Math.max(most, ++now)
        // The first come last.
        setTimeout(
          () => {
            now -= 1
            log.answers.delete(`/log/tile/entries/00${index}`)
            void log.answer(`/log/tile/entries/00${index}`, reply)
          },
          20 * (9 - index),
        )
      })
    }
    const { verdict, report } = await judgeForged(log, url)
    assert.deepEqual([verdict, report.size, most], ['consistent', 256 * 9 + 8, 4])
    assert.equal(log.asked.filter((path) => path.startsWith('/log/tile/')).length, 10)
  })
})
