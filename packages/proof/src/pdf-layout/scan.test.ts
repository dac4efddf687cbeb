import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from '../bytes.ts'
import { editBody, makeRevision0, OBJECTS, sha256Hex } from '../testing/write-revision0.ts'
import { SHADOWS } from '../testing/shadows.ts'
import { renderSeal } from './render.ts'
import { scanRevision0 } from './scan.ts'

for (const kind of ['table', 'stream'] as const) {
  test(`revision 0 with a cross-reference ${kind} scans to its facts, which survive JSON`, () => {
    const bytes = makeRevision0(undefined, kind)
    const facts = scanRevision0(bytes)
    assert.equal(facts.layout, 1)
    assert.equal(facts.sizeBytes, bytes.length)
    assert.equal(facts.xrefKind, kind)
    assert.equal(facts.size, Object.keys(OBJECTS).length + (kind === 'table' ? 1 : 2))
    assert.equal(facts.id, '00112233445566778899aabbccddeeff')
    const { catalog, info, acroForm, field, proofSlot, signatureSlot, dssSlot } = OBJECTS
    assert.deepEqual({ ...facts, catalog, info, acroForm, field, proofSlot, signatureSlot, dssSlot }, facts)
    assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts)
  })

  test(`a page must not show the object that the update adds first (cross-reference ${kind})`, () => {
    const { size } = scanRevision0(makeRevision0(undefined, kind))
    const show = (object: number) =>
      scanRevision0(makeRevision0(editBody(OBJECTS.page, /Contents \d+/, `Contents ${object}`), kind))
    assert.throws(() => show(size), { name: 'ProofError', code: 'rev0_shadow' })
    assert.equal(show(OBJECTS.manifest).size, size)
  })

  test(`bytes after revision 0 (${kind}) are left for the seal to judge`, () => {
    const bytes = makeRevision0(undefined, kind)
    const longer = new Uint8Array([...bytes, ...writeLatin1('anything')])
    assert.deepEqual(scanRevision0(longer), scanRevision0(bytes))
  })
}

const o = OBJECTS

test('the proof may stand anywhere among the attachments, and be embedded under one name', () => {
  const others = '(a.txt) null (manifest.json) 10 0 R'
  const facts = scanRevision0(makeRevision0())
  for (const names of [
    `(proof.tlog-proof) ${o.proofSpec} 0 R ${others}`,
    `${others} (proof.tlog-proof) ${o.proofSpec} 0 R`,
  ]) {
    const found = scanRevision0(makeRevision0(editBody(o.nameTree, /\[.*\]/, `[${names}]`)))
    assert.equal(found.proofSlot, facts.proofSlot)
  }
  const once = editBody(o.proofSpec, ` /UF ${o.proofSlot} 0 R`, '')
  assert.equal(scanRevision0(makeRevision0(once)).proofSlot, facts.proofSlot)
})

test('14.90 the first object never says that the file is linearized: readers would look for the others elsewhere', () => {
  const swap = (text: string) =>
    text.replace(/\b([13]) 0 R/g, (_, object: string) => `${object === '1' ? o.page : o.catalog} 0 R`)
  /** With the page as first object. */
  const make = (more: string) =>
    makeRevision0((draft) => {
      const bodies = draft.bodies.map(swap)
      ;[bodies[o.catalog], bodies[o.page]] = [bodies[o.page]!, bodies[o.catalog]!]
      draft.bodies = bodies.map((body, at) => (at === 1 ? body.replace('<<', `<<${more}`) : body))
      draft.trailer = swap(draft.trailer)
    })
  assert.equal(scanRevision0(make('/Lang (en)')).catalog, o.page)
  for (const key of ['/Linearized 1 ', '/Linear#69zed 1 ', '/Linearized null '])
    assert.throws(() => scanRevision0(make(key)), { code: 'rev0_layout', message: /linearized/ }, key)
})

test('what is looked up and kept is small, however large objects may be', () => {
  const make = (values: number) =>
    makeRevision0((draft) => {
      editBody(o.nameTree, '/Names [', `/Names [(a) ${draft.bodies.length} 0 R `)(draft)
      draft.bodies.push(`<</Type /Filespec /F (a) /Extra [${'/ '.repeat(values)}]>>`)
    })
  assert.ok(scanRevision0(make(9900)))
  assert.throws(() => scanRevision0(make(10_000)), { code: 'rev0_layout', message: /too many values/ })
})

test('attachments are so few, and their names so short, that looking through them takes no time', () => {
  const repeat = (pairs: number, name: string) =>
    makeRevision0((draft) => {
      editBody(o.nameTree, '/Names [', `/Names [${`(a)${o.manifestSpec} 0 R `.repeat(pairs)}`)(draft)
      editBody(o.manifestSpec, '/F (manifest.json)', `/F (${name})`)(draft)
    })
  assert.ok(scanRevision0(repeat(198, 'm'.repeat(1024))))
  for (const bytes of [repeat(199, 'm'), repeat(1, 'm'.repeat(1025))])
    assert.throws(() => scanRevision0(bytes), { code: 'rev0_slots' })
  assert.throws(() => scanRevision0(repeat(100_000, 'm'.repeat(1_000_000))), { code: 'rev0_layout' })
})

for (const kind of ['table', 'stream'] as const) {
  test(`what must not be in revision 0 is refused by its own code (cross-reference ${kind})`, async (t) => {
    for (const [name, code, edit] of SHADOWS) {
      await t.test(name, () =>
        assert.throws(() => scanRevision0(makeRevision0(edit, kind)), { name: 'ProofError', code }),
      )
    }
  })
}

test('what is written around the objects is refused unless it is in its one form', () => {
  const text = readLatin1(makeRevision0())
  const changes: [string | RegExp, string][] = [
    ['%PDF-1.7', '%PDF-1.8'],
    ['%PDF', '\n%PDF'],
    ['\n%\u00E2', '\n%a'],
    ['2 0 obj', '3 0 obj'],
    ['2 0 obj', '02 0 obj'],
    ['2 0 obj', '2 1 obj'],
    ['2 0 obj', '2  0 obj'],
    ['endobj\n3 0', 'endobj\n\n3 0'],
    ['endobj\n3 0', 'endobj\n% hidden\n3 0'],
    [/(\d{10}) 00000 n/, '0000000099 00000 n'],
    ['65535 f\r\n', '65535 f \n'],
    [/startxref\n\d+/, 'startxref\n15'],
    ['%%EOF\n', '%%EOF'],
    [/trailer\n<<\/Size \d+/, 'trailer\n<</Size 99'],
  ]
  for (const [from, to] of changes) {
    const changed = text.replace(from, to)
    assert.notEqual(changed, text)
    assert.throws(() => scanRevision0(writeLatin1(changed)), { name: 'ProofError', code: 'rev0_layout' }, String(from))
  }
})

test('a cross-reference stream must list exactly the objects found', () => {
  const text = readLatin1(makeRevision0(undefined, 'stream'))
  const data = text.lastIndexOf('\nstream\n') + '\nstream\n'.length
  const changeByte = (at: number) =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
  // entries of 1 + 4 + 2 bytes: kind of entry 0, then kind, offset and generation of the page
  const entry = data + 7 * o.page
  const changes = [data, entry, entry + 1, entry + 4, entry + 5, entry + 6].map(changeByte)
  for (const widths of ['[1 4 1]', '[1 7 2]', '[2 4 2]', '[1 4 2 1]', '[1 4]', '7']) {
    changes.push(text.replace('[1 4 2]', widths))
  }
  changes.push(
    text.replace('/Type /XRef', '/Type /XRef /Prev 15'),
    text.replace('/Type /XRef', '/Type /XRef /Index [0 9]'),
  )
  // one entry too many, one byte too few: the length agrees with the bytes, not with the objects
  const length = Number(/\/Length (\d+)>>\nstream\n$/.exec(text.slice(0, data))?.[1])
  const setLength = (bytes: number) => text.slice(0, data).replace(/\d+(>>\nstream\n)$/, `${bytes}$1`)
  changes.push(setLength(length + 7) + '\0'.repeat(7) + text.slice(data), setLength(length - 1) + text.slice(data + 1))
  changes.push(setLength(length + 7) + text.slice(data, data + length) + '\0'.repeat(7) + text.slice(data + length))
  for (const [i, changed] of changes.entries()) {
    assert.notEqual(changed, text)
    assert.throws(() => scanRevision0(writeLatin1(changed)), { name: 'ProofError', code: 'rev0_layout' }, `change ${i}`)
  }
})

test('no cut of revision 0 and no random bytes crash the scan', () => {
  const bytes = makeRevision0()
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => scanRevision0(bytes.subarray(0, length)), { name: 'ProofError' })
  }
  for (let seed = 1; seed <= 300; seed++) {
    const junk = Uint8Array.from(
      { length: 300 },
      (_, i) => (Math.imul(i + 7 * seed, 2_654_435_761) >>> (seed % 24)) & 0xff,
    )
    assert.throws(() => scanRevision0(new Uint8Array([...bytes.subarray(0, 15), ...junk])), { name: 'ProofError' })
  }
})

for (const kind of ['table', 'stream'] as const) {
  for (const proof of [null, writeLatin1('c2sp.org/tlog-proof@v1\nexample\n')]) {
    test(`the update ${proof ? 'with' : 'without'} a proof covers all but /Contents (cross-reference ${kind})`, () => {
      const revision0 = makeRevision0(undefined, kind)
      const facts = scanRevision0(revision0)
      const seal = {
        proof,
        signedAt: 'D:20260102030405Z',
        contentsHex: '00'.repeat(64),
        revision0Sha256: sha256Hex(revision0),
      }
      const { bytes, end, gap } = renderSeal(facts, seal)
      const whole = readLatin1(revision0) + readLatin1(bytes)
      assert.equal(end, whole.length)
      assert.equal(whole.slice(...gap), `<${seal.contentsHex}>`)
      const range = /\/ByteRange\[0 (\d+) (\d+) (\d+)\] *\/Contents/.exec(whole)
      assert.deepEqual(range?.slice(1).map(Number), [gap[0], gap[1], end - gap[1]])
      assert.equal(
        /startxref\n(\d+)\n%%EOF\n$/.exec(whole)?.[1],
        String(whole.lastIndexOf(kind === 'table' ? 'xref\n' + o.signatureSlot : `${facts.size} 0 obj`)),
      )
      assert.equal(whole.includes('/EmbeddedFile/Subtype'), proof !== null)
      assert.ok(whole.includes(`/Prev ${facts.xrefOffset}/Root 1 0 R/Info ${o.info} 0 R`))
    })
  }
}

test('the update is not rendered from parts that are not in their one form', () => {
  const facts = scanRevision0(makeRevision0())
  const good = { proof: null, signedAt: 'D:20260102030405Z', contentsHex: '00', revision0Sha256: '0'.repeat(64) }
  assert.ok(renderSeal(facts, good).bytes.length > 0)
  const faults = [
    { signedAt: "D:20260102030405+00'00'" },
    { signedAt: 'D:20260102030405Z)/X(' },
    { contentsHex: '' },
    { contentsHex: '0' },
    { contentsHex: 'AA' },
    { contentsHex: '00>/X<00' },
    { contentsHex: '00'.repeat(65_537) },
    { revision0Sha256: 'A'.repeat(64) },
    { proof: new Uint8Array() },
  ]
  for (const fault of faults) assert.throws(() => renderSeal(facts, { ...good, ...fault }), { code: 'seal' })
})
