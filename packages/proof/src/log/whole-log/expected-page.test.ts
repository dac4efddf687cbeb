import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toBase64Url } from '../../base64.ts'
import { hashSha256 } from '../../sha256.ts'
import { DAY, hash, makeLog, ORIGIN, TIME, WrittenLog } from '../../testing/written-log.ts'
import { formatStatement, SECONDS_PER_DAY } from '../statements.ts'
import { makeStatusStatement, MAX_LATER_ENTRIES, PAGE_ENTRIES, writeStatusBits } from '../status-page.ts'
import { matchPage } from './expected-page.ts'

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

  test('14.96 … at every place of a byte', () => {
    const log = new WrittenLog()
    const all = Array.from({ length: 20 }, () => log.approve())
    for (const at of all.keys()) {
      log.change('revoke', all[at]!)
      log.makePage(all.slice(0, at + 1))
    }
    for (const at of all.keys()) {
      log.change('reinstate', all[at]!)
      log.makePage(all.slice(at + 1))
    }
    assert.deepEqual(log.find(), [])
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

  test('14.96 … as it was at the size of the list, whatever changed twice since', () => {
    for (const isServed of [true, false]) {
      const log = new WrittenLog()
      const one = log.approve()
      log.change('revoke', one)
      const size = log.entries.length
      log.change('reinstate', one)
      log.amend(one, DAY + 60)
      log.makePage([one], { size, isServed })
      assert.deepEqual(log.find(), [])
    }
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

  test('14.96 … from the first second after that day on, also where it was moved while the list was made; the day of the file itself is none', () => {
    for (const isServed of [true, false]) {
      const log = new WrittenLog()
      const [one, same] = [log.approve(), log.approve(DAY + 1)]
      log.amend(same, DAY + 1)
      const size = log.entries.length
      log.amend(one, DAY + 1)
      log.time = TIME + SECONDS_PER_DAY
      log.makePage([one], { size, isServed })
      log.makePage([one], { isServed })
      const found = log.find().map(([code]) => code)
      assert.deepEqual(
        found.filter((code) => code !== 'page_late' && code !== 'page_missing'),
        [],
      )
      const early = new WrittenLog()
      early.approve()
      early.time = TIME + SECONDS_PER_DAY - 1
      early.amend(one, DAY + 1)
      early.makePage([one], { size: 2, isServed })
      assert.equal(early.find()[0]?.[0], isServed ? 'bits_extra' : 'page_false')
    }
  })

  test('14.96 each list speaks of its own part of the log', () => {
    const log = new WrittenLog()
    const key = formatStatement({ kind: 'key', operation: 'add', use: 'doc', fingerprint: hash('key'), time: TIME })
    const first = log.approve()
    while (log.entries.length < PAGE_ENTRIES) log.addBytes(key)
    const second = log.approve()
    log.change('revoke', first)
    log.change('revoke', second)
    // As of that size there was nothing on it.
    const early = log.makePage([], { size: PAGE_ENTRIES, page: 1 })
    log.makePage([first], { isServed: true })
    const status = log.makePage([PAGE_ENTRIES + 1], { page: 1, isServed: true })
    // Its root is worked out once, not twice.
    const newest = { origin: ORIGIN, size: log.entries.length, root: new Uint8Array(32) }
    const found = log.find({ newest })
    assert.deepEqual(found.slice(1), [
      ['bits_missing', { index: second, page: 1, status }],
      ['bits_extra', { index: second + 1, page: 1, status }],
      ['status_shape', { index: early, page: 1, size: PAGE_ENTRIES }],
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

test('14.97 a page takes no more tries than it may', () => {
  const open = new Set([0, 1, 2, 3])
  const expected = { bits: writeStatusBits(0, []), later: [{ index: 0, isSet: true }], open }
  const match = (revoked: number[], most = 100) =>
    matchPage(toBase64Url(hashSha256(writeStatusBits(0, revoked))), expected, most)
  assert.deepEqual(match([]), { isRight: true, tries: 0 })
  assert.deepEqual(match([0]), { isRight: true, tries: 1 })
  assert.deepEqual(match([0], 0), { isRight: undefined, tries: 0 })
  assert.deepEqual(match([0, 1, 2, 3]), { isRight: true, tries: 17 })
  assert.deepEqual(match([0, 1, 2, 3], 16), { isRight: undefined, tries: 16 })
  assert.deepEqual(match([4]), { isRight: false, tries: 17 })
  const ten = { ...expected, open: new Set(Array.from({ length: 10 }, (_, n) => n)) }
  assert.deepEqual(matchPage('', ten, 2000), { isRight: false, tries: 1025 })
  const many = { ...expected, open: new Set(Array.from({ length: 11 }, (_, n) => n)) }
  assert.deepEqual(matchPage('', many, 100), { isRight: undefined, tries: 1 })
})
