import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toBase64Url } from '../../base64.ts'
import type { Bytes } from '../../bytes.ts'
import { hashSha256 } from '../../sha256.ts'
import { writeUtf8 } from '../../utf8.ts'
import { formatStatement, SECONDS_PER_DAY, type Statement } from '../statements.ts'
import { makeStatusStatement, MAX_LATER_ENTRIES, PAGE_ENTRIES, writeStatusBits } from '../status-page.ts'
import { computeGrownRoot, hashLeaf } from '../tree.ts'
import { MAX_CASES, type FindingDetails, type LogFindingCode } from './log-findings.ts'
import { readWholeLog, type LogQuestion, type ServedPage } from './read-whole-log.ts'

const ORIGIN = 'example.org/log'
const TIME = 20_000 * SECONDS_PER_DAY
const DAY = TIME / SECONDS_PER_DAY

/** A log that is written statement by statement, and the pages that are served. */
class WrittenLog {
  readonly entries: Bytes[] = []
  readonly served: Omit<ServedPage, 'checkpoint'>[] = []
  time = TIME

  constructor() {
    this.add({ kind: 'genesis', origin: ORIGIN, time: this.time })
  }

  /** @returns the place of the entry. */
  add(statement: Statement): number {
    return this.addBytes(formatStatement(statement))
  }

  addBytes(entry: Bytes): number {
    return this.entries.push(entry) - 1
  }

  approve(expiryDay?: number): number {
    const commitment = hash(`approval ${this.entries.length}`)
    return this.add({ kind: 'approve', commitment, time: this.time, ...(expiryDay !== undefined && { expiryDay }) })
  }

  change(kind: 'revoke' | 'reinstate', ref: number): number {
    return this.add({ kind, commitment: hash(`change ${this.entries.length}`), ref, time: this.time })
  }

  amend(ref: number, expiryDay?: number): number {
    const commitment = hash(`change ${this.entries.length}`)
    return this.add({ kind: 'amend', commitment, ref, time: this.time, ...(expiryDay !== undefined && { expiryDay }) })
  }

  /** Puts a page into the log with these bits. */
  makePage(revoked: number[], given: { size?: number; page?: number; isServed?: boolean } = {}): number {
    const { size = this.entries.length, page = 0, isServed = false } = given
    const status = { page, size, time: this.time, bits: writeStatusBits(page, revoked) }
    const index = this.add(makeStatusStatement(status))
    if (isServed) this.served.push({ ...status, index })
    return index
  }

  head(size = this.entries.length): { origin: string; size: number; root: Bytes } {
    const leafHashes = this.entries.slice(0, size).map(hashLeaf)
    return { origin: ORIGIN, size, root: computeGrownRoot({ size: 0, peaks: [], leafHashes }) }
  }

  read(given: Partial<LogQuestion> & { entries?: readonly Bytes[] } = {}) {
    const { entries = this.entries, newest = this.head(), ...question } = given
    const log = readWholeLog({
      newest,
      remembered: null,
      pages: this.served.map((page) => ({ ...page, checkpoint: newest })),
      unusable: [],
      isWitnessed: true,
      now: this.time,
      ...question,
    })
    for (const entry of entries) log.add(entry)
    return log.finish()
  }

  /** What was found, each case as its code and the places that it names. */
  find(given: Parameters<WrittenLog['read']>[0] = {}): [code: LogFindingCode, details: FindingDetails][] {
    return this.read(given).findings.flatMap(({ code, cases }) =>
      cases.map((details): [LogFindingCode, FindingDetails] => [code, details]),
    )
  }
}

const hash = (text: string) => toBase64Url(hashSha256(writeUtf8(text)))

/** Two approvals, of which the second is revoked. */
function makeLog() {
  const log = new WrittenLog()
  const [one, other] = [log.approve(), log.approve()]
  log.change('revoke', other)
  return { log, one, other }
}

describe('14.96 who reads the whole log works out what each list of revocations should say', () => {
  test('14.96 a list that says what the entries call for is right, whatever was revoked, reinstated and revoked again', () => {
    const { log, one, other } = makeLog()
    log.makePage([other])
    log.change('reinstate', other)
    log.makePage([])
    log.change('revoke', one)
    log.change('revoke', other)
    const index = log.makePage([one, other], { isServed: true })
    const report = log.read()
    assert.deepEqual(report.findings, [])
    assert.deepEqual([report.size, report.kinds], [10, { genesis: 1, approve: 2, revoke: 3, reinstate: 1, status: 3 }])
    assert.deepEqual(report.pages, [{ page: 0, made: 3, served: { index, size: index, time: TIME, revoked: 2 } }])
  })

  test('14.96 a bit that is left out is named, and one that no entry calls for', () => {
    const { log, one, other } = makeLog()
    const status = log.makePage([one], { isServed: true })
    assert.deepEqual(log.find(), [
      ['bits_missing', { index: other, page: 0, status }],
      ['bits_extra', { index: one, page: 0, status }],
    ])
  })

  test('14.96 bits of places that have no approval, or none yet, are made up', () => {
    const { log, other } = makeLog()
    const status = log.makePage([0, other, 100, PAGE_ENTRIES - 1], { isServed: true })
    assert.deepEqual(
      log.find(),
      [0, 100, PAGE_ENTRIES - 1].map((index) => ['bits_extra', { index, page: 0, status }]),
    )
  })

  test('14.97 a list of before, of which the log has the hash alone, is compared, too', () => {
    for (const bits of [[], [1], [1, 2], [3]]) {
      const { log, other } = makeLog()
      assert.equal(other, 2)
      const index = log.makePage(bits)
      log.makePage([other], { isServed: true })
      assert.deepEqual(log.find(), [['page_false', { index, page: 0, size: 4, time: TIME }]])
    }
  })

  test('14.96 a list of a smaller set is right as of its size, and false as of any later one', () => {
    const { log, other } = makeLog()
    log.makePage([], { size: 3, isServed: true })
    assert.deepEqual(log.find(), [], 'all that came after it comes with it')
    const late = makeLog()
    const status = late.log.makePage([], { size: 4, isServed: true })
    assert.deepEqual(late.log.find(), [['bits_missing', { index: other, page: 0, status }]])
  })

  test('14.96 what changes while a list is made may be on it or not, and nothing else', () => {
    for (const bits of [[], [1], [2], [1, 2]]) {
      for (const isServed of [true, false]) {
        const log = new WrittenLog()
        const [one, other, third] = [log.approve(), log.approve(), log.approve()]
        const size = log.entries.length
        log.change('revoke', one)
        log.change('revoke', other)
        const index = log.makePage(bits, { size, isServed })
        assert.deepEqual(log.find(isServed ? {} : { pages: [] }), [], String(bits))
        // The next has them all.
        log.makePage([one, other])
        assert.deepEqual(log.find({ pages: [] }), [])
        const convicted = new WrittenLog()
        convicted.entries.push(...log.entries.slice(1, index))
        convicted.makePage([...bits, third], { size, isServed })
        assert.deepEqual(
          convicted.find().map(([code]) => code),
          [isServed ? 'bits_extra' : 'page_false'],
        )
      }
    }
  })

  test('14.96 … also an approval that is itself newer than the list, and what was revoked and reinstated meanwhile', () => {
    for (const isServed of [true, false]) {
      for (const isOn of [true, false]) {
        const log = new WrittenLog()
        const size = log.entries.length
        const one = log.approve()
        log.change('revoke', one)
        log.change('reinstate', one)
        log.makePage(isOn ? [one] : [], { size, isServed })
        assert.deepEqual(log.find(), [])
      }
    }
    const log = new WrittenLog()
    const [one, other] = [log.approve(), log.approve()]
    log.change('revoke', one)
    const size = log.entries.length
    log.change('reinstate', one)
    log.change('revoke', one)
    // Revoked before and after: between it was not.
    log.makePage([], { size, isServed: true })
    assert.deepEqual(log.find(), [])
    const status = log.makePage([other], { isServed: true })
    assert.deepEqual(log.find(), [
      ['bits_missing', { index: one, page: 0, status }],
      ['bits_extra', { index: other, page: 0, status }],
    ])
  })

  test('14.96 of many changes while a list is made, those up to a moment are tried in their order; what cannot be tried is said', () => {
    const log = new WrittenLog()
    const all = Array.from({ length: 40 }, () => log.approve())
    const size = log.entries.length
    for (const ref of all) log.change('revoke', ref)
    log.makePage(all.slice(0, 25), { size })
    assert.deepEqual(log.find(), [])
    const index = log.makePage(all.slice(25), { size })
    assert.deepEqual(log.find(), [['status_unsure', { index, page: 0, size, time: TIME }]])
  })

  test('14.96 a change that makes nothing of a bit leaves none open', () => {
    for (const isServed of [true, false]) {
      const log = new WrittenLog()
      const one = log.approve(DAY + 30)
      const size = log.entries.length
      log.amend(one, DAY + 60)
      log.makePage([one], { size, isServed })
      assert.deepEqual(
        log.find().map(([code]) => code),
        [isServed ? 'bits_extra' : 'page_false'],
      )
    }
  })

  test('14.96 how it was 1024 entries before a page is known, however many changes there were', () => {
    const log = new WrittenLog()
    const all = Array.from({ length: 2 * MAX_LATER_ENTRIES + 4 }, () => log.approve())
    for (const [at, ref] of all.entries()) {
      log.change('revoke', ref)
      if (at < 2 * MAX_LATER_ENTRIES) continue
      const size = log.entries.length + 1 - MAX_LATER_ENTRIES
      // None of those that came after that size, of which there are too many to try.
      log.makePage(
        all.filter((_, nth) => log.entries.length - (at - nth) <= size),
        { size, isServed: true },
      )
      log.entries.pop()
    }
    assert.equal(log.served.length, 4)
    for (const served of log.served) {
      const entries = [...log.entries.slice(0, served.index), formatStatement(makeStatusStatement(served))]
      const newest = { origin: ORIGIN, size: entries.length, root: new Uint8Array(32) }
      const [, ...found] = log.find({ entries, newest, pages: [{ ...served, checkpoint: newest }] })
      assert.deepEqual(found, [])
      assert.deepEqual(log.find({ entries, newest, pages: [] }).slice(1), [])
    }
  })

  test('14.96 an earlier expiry than the one in the file counts once its day is over, and until it is moved again', () => {
    const log = new WrittenLog()
    const [endless, limited, longer] = [log.approve(), log.approve(DAY + 30), log.approve(DAY + 30)]
    log.amend(endless, DAY + 1)
    log.amend(limited, DAY + 1)
    log.amend(longer, DAY + 40)
    log.time = TIME + SECONDS_PER_DAY - 1
    log.makePage([])
    log.time += 1
    log.makePage([endless, limited])
    log.amend(endless)
    log.amend(limited, DAY + 30)
    log.makePage([])
    log.amend(limited, DAY + 1)
    log.change('revoke', limited)
    log.change('reinstate', limited)
    log.makePage([limited])
    log.time = TIME + 50 * SECONDS_PER_DAY
    log.amend(log.approve(0), 5)
    // The file tells by itself that it has expired.
    const status = log.makePage([limited, longer], { isServed: true })
    assert.deepEqual(
      log.find().filter(([code]) => code !== 'page_late'),
      [['bits_extra', { index: longer, page: 0, status }]],
    )
  })

  test('14.96 each list speaks of its own part of the log', () => {
    const log = new WrittenLog()
    const key = formatStatement({ kind: 'key', operation: 'add', use: 'doc', fingerprint: hash('key'), time: TIME })
    const first = log.approve()
    while (log.entries.length < PAGE_ENTRIES) log.addBytes(key)
    const second = log.approve()
    log.change('revoke', first)
    log.change('revoke', second)
    log.makePage([first], { isServed: true })
    const status = log.makePage([PAGE_ENTRIES + 1], { page: 1, isServed: true })
    // Its root is worked out once, not twice.
    const newest = { origin: ORIGIN, size: log.entries.length, root: new Uint8Array(32) }
    const found = log.find({ newest })
    assert.deepEqual(found.slice(1), [
      ['bits_missing', { index: second, page: 1, status }],
      ['bits_extra', { index: second + 1, page: 1, status }],
    ])
  })

  test('14.96 lists of places to come, or from further back than verifiers take, are named', () => {
    const { log, other } = makeLog()
    const [ahead, beyond] = [log.makePage([], { size: 5 }), log.makePage([], { page: 1 })]
    while (log.entries.length < MAX_LATER_ENTRIES + 3) log.approve()
    const near = log.makePage([], { size: 4 })
    const far = log.makePage([other], { size: 4 })
    assert.deepEqual(log.find(), [
      ['page_false', { index: near, page: 0, size: 4, time: TIME }],
      ['status_shape', { index: ahead, page: 0, size: 5 }],
      ['status_shape', { index: beyond, page: 1, size: 5 }],
      ['status_far', { index: far, page: 0, size: 4 }],
    ])
  })
})

describe('14.98 who reads the whole log works its heads out from the entries alone', () => {
  test('14.98 entries that are changed, left out, added or moved give another root than was signed', () => {
    const { log } = makeLog()
    const { newest, entries } = { newest: log.head(), entries: log.entries }
    const changed = entries.with(3, formatStatement({ kind: 'revoke', commitment: hash('x'), ref: 1, time: TIME }))
    for (const others of [changed, [...entries.slice(0, 2), ...entries.slice(2).toReversed()]]) {
      const [finding] = log.read({ entries: others }).findings
      assert.deepEqual([finding?.code, finding?.cases[0]?.['size']], ['root', 4])
    }
    assert.throws(() => log.read({ entries: entries.slice(1) }), { code: 'log_range' })
    assert.throws(() => log.read({ entries: [...entries, entries[0]!] }), { code: 'log_range' })
    assert.deepEqual(log.read({ newest }).findings, [])
  })

  test('14.98 the heads that lists are shown under are compared where the tree has their size', () => {
    const { log, other } = makeLog()
    log.makePage([other], { isServed: true })
    const checkpoint = log.head()
    const [page] = log.served
    log.approve()
    assert.deepEqual(log.find({ pages: [{ ...page!, checkpoint }] }), [])
    const forged = { ...checkpoint, root: hashSha256(writeUtf8('another')) }
    const found = log.read({ pages: [{ ...page!, checkpoint: forged }] }).findings
    assert.deepEqual(
      found.map(({ code, count }) => [code, count]),
      [['root', 1]],
    )
  })

  test('14.99 a head that was remembered is the beginning of the tree, or the log was rewritten', () => {
    const { log } = makeLog()
    const heads = log.entries.map((_, size) => log.head(size))
    for (const remembered of [...heads, log.head()]) {
      const report = log.read({ remembered })
      assert.deepEqual([report.findings, report.rememberedSize], [[], remembered.size])
    }
    const other = new WrittenLog()
    other.approve(5)
    other.approve()
    other.change('revoke', 2)
    for (const size of [2, 3, 4]) {
      const [[code, details] = []] = log.find({ remembered: other.head(size) })
      assert.deepEqual([code, details?.['size']], ['rewritten', size])
    }
    log.approve()
    const remembered = log.head()
    log.entries.pop()
    assert.deepEqual(log.find({ remembered }), [['behind', { size: 4, remembered: 5 }]])
  })
})

describe('14.101 what ought not to be in a log is named, and convicts nobody', () => {
  test('14.101 lists that are late, missing, replaced, or dated before an earlier one', () => {
    const { log, other } = makeLog()
    log.time = TIME + 26 * 3600
    log.makePage([other])
    log.time += 26 * 3600 + 1
    const second = log.makePage([other], { isServed: true })
    const late = log.time
    log.time -= 60
    const third = log.makePage([other])
    const gap = ['page_late', { page: 0, from: TIME + 26 * 3600, to: late }]
    const back = ['status_backwards', { index: third, page: 0, time: late - 60, before: late }]
    const replaced = ['page_replaced', { page: 0, index: second, newest: third }]
    assert.deepEqual(log.find(), [gap, back, replaced])
    const [page] = log.served
    const early = [{ ...page!, checkpoint: log.head(third) }]
    assert.deepEqual(log.find({ pages: early }), [gap, back], 'its head has no newer one')
    const now = late + 26 * 3600 + 1
    assert.deepEqual(log.find({ pages: [], now }), [
      ['page_late', { page: 0, from: late - 26 * 3600 - 1, to: late }],
      ['page_late', { page: 0, from: late, to: now }],
      back,
      ['page_missing', { page: 0 }],
    ])
  })

  test('14.101 the first list is due within two hours of the first approval, and none without one', () => {
    const log = new WrittenLog()
    assert.deepEqual(log.find({ now: TIME + 100 * SECONDS_PER_DAY }), [])
    log.approve()
    assert.deepEqual(log.find({ now: TIME + 7200 }), [])
    assert.deepEqual(log.find({ now: TIME + 7201 }), [['page_missing', { page: 0 }]])
    const unusable = [{ page: 0, code: 'log_signature' as const }]
    assert.deepEqual(log.find({ now: TIME + 7201, unusable }), [['page_unusable', { page: 0, code: 'log_signature' }]])
  })

  test('14.101 an entry that is not known is named, and leaves open how the approval stands that it refers to', () => {
    const { log, one, other } = makeLog()
    const odd = [
      `{"k":"annul","ref":${one},"t":${TIME},"v":1}`,
      `{"c":"x","k":"revoke","ref":${one},"t":${TIME},"v":2}`,
      `{"k":"annul","ref":1e99}`,
      'no JSON',
      `{"k":"${'long'.repeat(20)}","ref":-1,"t":1,"v":1}`,
    ]
    const places = odd.map((text) => log.addBytes(writeUtf8(text)))
    log.makePage([one, other])
    log.makePage([other], { isServed: true })
    assert.deepEqual(log.find(), [
      ['kind_unknown', { index: places[0], kind: 'annul', version: 1 }],
      ['kind_unknown', { index: places[1], kind: 'revoke', version: 2 }],
      ['kind_unknown', { index: places[2], kind: null, version: null }],
      ['kind_unknown', { index: places[3], kind: null, version: null }],
      ['kind_unknown', { index: places[4], kind: 'long'.repeat(10), version: 1 }],
    ])
    const status = log.makePage([], { isServed: true })
    assert.deepEqual(log.find().slice(0, 1), [['bits_missing', { index: other, page: 0, status }]])
  })

  test('14.101 changes of what is no approval, or was so already, and two entries of one approval', () => {
    const { log, one, other } = makeLog()
    const early = new WrittenLog()
    early.change('revoke', 0)
    assert.deepEqual(early.find(), [['ref_wrong', { index: 1, ref: 0 }]])
    const again = log.change('revoke', other)
    const idle = log.change('reinstate', one)
    const ofNone = log.change('revoke', 0)
    const ahead = log.change('revoke', 2 ** 52)
    const twice = log.addBytes(log.entries[one]!)
    log.makePage([0, other])
    assert.deepEqual(log.find(), [
      ['change_twice', { index: again, ref: other }],
      ['change_twice', { index: idle, ref: one }],
      ['ref_wrong', { index: ofNone, ref: 0 }],
      ['ref_wrong', { index: ahead, ref: 2 ** 52 }],
      ['approval_twice', { index: twice }],
    ])
  })

  test('14.101 times that run backwards, or lie ahead, by more than clocks differ', () => {
    const log = new WrittenLog()
    log.time = TIME + 3600
    log.approve()
    log.time = TIME
    log.approve()
    log.time = TIME - 1
    const back = log.approve()
    log.time = TIME + 9000
    const ahead = log.approve()
    assert.deepEqual(log.find({ now: TIME + 5399 }), [
      ['time_backwards', { index: back, time: TIME - 1, before: TIME + 3600 }],
      ['time_ahead', { index: ahead, time: TIME + 9000 }],
    ])
    assert.deepEqual(log.find({ now: TIME + 5400 }).length, 1)
  })

  test('14.101 a beginning that is missing, comes again, or is that of another log; a head without its witnesses', () => {
    const log = new WrittenLog()
    const again = log.addBytes(log.entries[0]!)
    assert.deepEqual(log.find({ isWitnessed: false }), [
      ['not_witnessed', { size: 2 }],
      ['beginning', { index: again }],
    ])
    assert.deepEqual(log.find({ newest: { ...log.head(), origin: 'other.example/log' } }), [
      ['beginning', { index: 0, origin: ORIGIN }],
      ['beginning', { index: again }],
    ])
    for (const first of [formatStatement({ kind: 'approve', commitment: hash('x'), time: TIME }), writeUtf8('x')]) {
      log.entries[0] = first
      assert.ok(log.find().some(([code, details]) => code === 'beginning' && details.index === 0))
    }
  })

  test('14.101 of cases without number the first are told, and how many there are', () => {
    const log = new WrittenLog()
    for (let n = 0; n < 3 * MAX_CASES; n++) log.addBytes(writeUtf8(`${n}`))
    const [finding] = log.read().findings
    assert.deepEqual([finding?.code, finding?.count, finding?.cases.length], ['kind_unknown', 3 * MAX_CASES, MAX_CASES])
  })
})
