import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSha256 } from '../../sha256.ts'
import { DAY, hash, makeLog, ORIGIN, TIME, WrittenLog } from '../../testing/written-log.ts'
import { writeUtf8 } from '../../utf8.ts'
import { formatStatement, SECONDS_PER_DAY } from '../statements.ts'
import { CONTRADICTIONS, decideLogVerdict, MAX_CASES, type LogFindingCode } from './log-findings.ts'
import { readWholeLog } from './read-whole-log.ts'

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
    const question = { newest, remembered: null, pages: [], unusable: [], isWitnessed: true, now: TIME }
    const whole = readWholeLog(question)
    for (const entry of entries) whole.add(entry)
    assert.throws(() => whole.add(entries[0]!), { code: 'log_range' })
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
  })
})

describe('14.101 what ought not to be in a log is named, and convicts nobody', () => {
  test('14.101 lists that are late, missing, replaced, or dated before an earlier one', () => {
    const log = new WrittenLog()
    log.approve()
    log.time = TIME + 26 * 3600
    log.makePage([])
    log.time += 26 * 3600 + 1
    const second = log.makePage([], { isServed: true })
    const late = log.time
    log.time -= 60
    const third = log.makePage([])
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

  test('14.101 an older list is served, under a head from before the newest was made, for longer than a copy may be kept', () => {
    const { log, other } = makeLog()
    const old = log.makePage([other], { isServed: true })
    const checkpoint = log.head()
    log.time += 3600
    const newest = log.makePage([other])
    const pages = [{ ...log.served[0]!, checkpoint }]
    assert.deepEqual(log.find({ pages, now: log.time + 7200 }), [])
    const replaced = ['page_replaced', { page: 0, index: old, newest }]
    assert.deepEqual(log.find({ pages, now: log.time + 7201 }), [replaced])
  })

  test('14.101 a list that was not made anew within two hours of a change is late', () => {
    const findLate = (log: WrittenLog, now = log.time) =>
      log.find({ now }).flatMap(([code, { from, to }]) => (code === 'page_late' ? [[from, to]] : []))
    for (const change of ['revoke', 'reinstate', 'amend'] as const) {
      const { log, one, other } = makeLog()
      log.makePage([other])
      log.time += 3600
      if (change === 'amend') log.amend(one, DAY + 30)
      else log.change(change, change === 'revoke' ? one : other)
      const [from, size] = [log.time, log.entries.length]
      assert.deepEqual(findLate(log, from + 7200), [])
      assert.deepEqual(findLate(log, from + 7201), [[from, from + 7201]])
      const bits = change === 'revoke' ? [one, other] : change === 'reinstate' ? [] : [other]
      log.time += 7201
      // One of the tree before does not heed it.
      log.makePage(bits, { size: size - 1 })
      const late = [from, log.time]
      assert.deepEqual(findLate(log), [late, late], 'nor is it made anew until now')
      log.makePage(bits, { size })
      assert.deepEqual(findLate(log, log.time + 7201), [late, late])
      // What changes while a list is made, the next has.
      const grown = log.entries.length
      log.change('revoke', one)
      log.makePage(bits, { size: grown })
      assert.deepEqual(findLate(log, log.time + 7201), [late, late, [log.time, log.time + 7201]])
      log.makePage([...bits, one])
      assert.deepEqual(findLate(log, log.time + 7201), [late, late])
    }
    // Of those that came one after the other, the first is waited for.
    const { log, one, other } = makeLog()
    log.makePage([other])
    const size = log.entries.length
    log.change('revoke', one)
    log.time += 3600
    log.change('reinstate', one)
    assert.deepEqual(findLate(log, TIME + 7201), [[TIME, TIME + 7201]])
    log.makePage([other], { size })
    assert.deepEqual(findLate(log, TIME + 7201), [[TIME, TIME + 7201]], 'it heeds neither')
    log.makePage([one, other], { size: size + 1 })
    assert.deepEqual(findLate(log, TIME + 7201), [])
    assert.deepEqual(findLate(log, TIME + 10_801), [[TIME + 3600, TIME + 10_801]])
  })

  test('14.101 the first list is due within two hours of the first approval, and none without one', () => {
    const log = new WrittenLog()
    assert.deepEqual(log.find({ now: TIME + 100 * SECONDS_PER_DAY }), [])
    log.approve()
    assert.deepEqual(log.find({ now: TIME + 7200 }), [])
    assert.deepEqual(log.find({ now: TIME + 7201 }), [['page_missing', { page: 0 }]])
    // However many follow.
    log.time += 7200
    log.approve()
    assert.deepEqual(log.find({ now: TIME + 7201 }), [['page_missing', { page: 0 }]])
    const unusable = [{ page: 0, code: 'log_signature' as const }]
    assert.deepEqual(log.find({ now: TIME + 7201, unusable }), [['page_unusable', { page: 0, code: 'log_signature' }]])
  })

  test('14.101 a first list is late a day and two hours after the first approval, made or not', () => {
    const log = new WrittenLog()
    log.approve()
    const [from, to] = [TIME, TIME + 26 * 3600 + 1]
    const missing = ['page_missing', { page: 0 }]
    assert.deepEqual(log.find({ now: to - 1 }), [missing])
    assert.deepEqual(log.find({ now: to }), [['page_late', { page: 0, from, to }], missing])
    log.time = to - 1
    log.makePage([], { isServed: true })
    assert.deepEqual(log.find(), [])
    log.entries.pop()
    log.served.pop()
    log.time = to
    log.makePage([], { isServed: true })
    assert.deepEqual(log.find(), [['page_late', { page: 0, from, to }]])
  })

  test('14.101 an entry that is not known is named, and leaves open how the approval stands that it refers to', () => {
    const { log, one, other } = makeLog()
    const odd = [
      `{"k":"annul","ref":${one},"t":${TIME},"v":1}`,
      `{"c":"x","k":"revoke","ref":${one},"t":${TIME},"v":2}`,
      `{"k":5,"ref":${one},"t":1,"v":"1"}`,
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
    // What does not refer to anything before it leaves nothing open.
    const ahead = new WrittenLog()
    ahead.addBytes(writeUtf8('{"k":"annul","ref":2,"t":1,"v":1}'))
    const later = ahead.approve()
    const page = ahead.makePage([later], { isServed: true })
    assert.deepEqual(ahead.find()[0], ['bits_extra', { index: 2, page: 0, status: page }])
  })

  test('14.101 so does one in a form that programs read in several ways', () => {
    for (const bits of ['none', 'both'] as const) {
      const { log, one, other } = makeLog()
      const index = log.addBytes(writeUtf8(`{"k":"annul", "ref" : ${one}.0,"ref":${other},"t":1,"v":1}`))
      log.makePage(bits === 'both' ? [one, other] : [], { isServed: true })
      assert.deepEqual(log.find(), [['kind_unknown', { index, kind: null, version: null }]])
    }
  })

  test('14.101 … and one that names many, each of them, at every place', () => {
    const log = new WrittenLog()
    const all = Array.from({ length: 20 }, () => log.approve())
    const ten = all.slice(5, 15)
    const name = (refs: number[]) => log.addBytes(writeUtf8(`{${refs.map((ref) => `"ref":${ref}`).join(',')}}`))
    name(ten)
    const findPages = () => log.find({ pages: [] }).filter(([code]) => !['kind_unknown', 'page_missing'].includes(code))
    for (const ref of ten) log.makePage([ref])
    log.makePage(ten)
    assert.deepEqual(findPages(), [])
    const index = log.makePage([all[4]!])
    const size = index
    assert.deepEqual(findPages(), [['page_false', { index, page: 0, size, time: TIME }]])
    log.entries.pop()
    // Of more than ten it is not told by the hash.
    name([all[15]!])
    log.makePage([all[4]!])
    assert.deepEqual(findPages(), [['status_unsure', { index: size + 1, page: 0, size: size + 1, time: TIME }]])
    log.entries.pop()
    const served = log.makePage([all[4]!, ...ten, all[15]!, all[16]!], { isServed: true })
    assert.deepEqual(log.find().slice(0, 2), [
      ['bits_extra', { index: all[4], page: 0, status: served }],
      ['bits_extra', { index: all[16], page: 0, status: served }],
    ])
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
    const itself = log.change('revoke', log.entries.length)
    const twice = log.addBytes(log.entries[one]!)
    log.makePage([0, other])
    assert.deepEqual(log.find(), [
      ['change_twice', { index: again, ref: other }],
      ['change_twice', { index: idle, ref: one }],
      ['ref_wrong', { index: ofNone, ref: 0 }],
      ['ref_wrong', { index: ahead, ref: 2 ** 52 }],
      ['ref_wrong', { index: itself, ref: itself }],
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
    // What lies ahead makes nothing that comes after it run backwards, nor does what runs backwards itself.
    log.time = TIME + 3600
    log.approve()
    assert.deepEqual(log.find({ now: TIME + 5399 }).length, 2)
    log.time = TIME - 1
    const again = log.approve()
    assert.deepEqual(log.find({ now: TIME + 5399 })[0], [
      'time_backwards',
      { index: back, time: TIME - 1, before: TIME + 3600 },
    ])
    assert.deepEqual(log.find({ now: TIME + 5399 })[1]?.[1], { index: again, time: TIME - 1, before: TIME + 3600 })
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

  test('14.101 a contradiction goes before what is not known, and what convicts nobody leaves a log consistent', () => {
    const decide = (...codes: LogFindingCode[]) =>
      decideLogVerdict(codes.map((code) => ({ code, count: 1, cases: [] })))
    assert.equal(decide(), 'consistent')
    assert.equal(decide('page_late', 'not_witnessed', 'status_unsure'), 'consistent')
    assert.equal(decide('page_late', 'kind_unknown'), 'newer')
    for (const code of CONTRADICTIONS) assert.equal(decide('kind_unknown', code), 'contradicted')
  })

  test('14.101 of cases without number the first are told, and how many there are', () => {
    const log = new WrittenLog()
    for (let n = 0; n < 3 * MAX_CASES; n++) log.addBytes(writeUtf8(`${n}`))
    const [finding] = log.read().findings
    assert.deepEqual([finding?.code, finding?.count, finding?.cases.length], ['kind_unknown', 3 * MAX_CASES, MAX_CASES])
  })
})
