import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from '../bytes.ts'
import {
  editBody,
  makeRevision0,
  OBJECTS,
  sha256Hex,
  type DraftDocument,
  writeStream,
} from '../testing/write-revision0.ts'
import { renderSeal } from './render.ts'
import { scanRevision0 } from './scan.ts'

for (const kind of ['table', 'stream'] as const) {
  test(`revision 0 with a cross-reference ${kind} scans to its facts, which survive JSON`, () => {
    const bytes = makeRevision0(undefined, kind)
    const facts = scanRevision0(bytes)
    assert.equal(facts.sizeBytes, bytes.length)
    assert.equal(facts.xrefKind, kind)
    assert.equal(facts.size, Object.keys(OBJECTS).length + (kind === 'table' ? 1 : 2))
    assert.equal(facts.id, '00112233445566778899aabbccddeeff')
    const { catalog, info, acroForm, field, proofSlot, signatureSlot, dssSlot } = OBJECTS
    assert.deepEqual({ ...facts, catalog, info, acroForm, field, proofSlot, signatureSlot, dssSlot }, facts)
    assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts)
  })

  test(`bytes after revision 0 (${kind}) are left for the seal to judge`, () => {
    const bytes = makeRevision0(undefined, kind)
    const longer = new Uint8Array([...bytes, ...writeLatin1('anything')])
    assert.deepEqual(scanRevision0(longer), scanRevision0(bytes))
  })
}

const o = OBJECTS
const shadows: [name: string, code: string, edit: (draft: DraftDocument) => void][] = [
  [
    'a page shows the proof slot',
    'rev0_shadow',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents [${o.content} 0 R ${o.proofSlot} 0 R]`),
  ],
  [
    'a page shows an undefined object',
    'rev0_shadow',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents [${o.content} 0 R 99 0 R]`),
  ],
  ['a page shows object 0', 'rev0_shadow', editBody(o.page, `/Contents ${o.content} 0 R`, '/Contents 0 0 R')],
  [
    'a reference of generation 1',
    'rev0_layout',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents ${o.proofSlot} 1 R`),
  ],
  [
    'annotations are the DSS slot',
    'rev0_shadow',
    editBody(o.page, `/Annots [${o.field} 0 R]`, `/Annots ${o.dssSlot} 0 R`),
  ],
  [
    'a page refers to the signature slot',
    'rev0_shadow',
    editBody(o.page, '/Type /Page', `/Type /Page /Metadata ${o.signatureSlot} 0 R`),
  ],
  [
    'the trailer refers to a slot',
    'rev0_shadow',
    (draft) => void (draft.trailer = draft.trailer.replace(`/Info ${o.info}`, `/Info ${o.proofSlot}`)),
  ],
  ['a slot is not null', 'rev0_slots', (draft) => void (draft.bodies[o.dssSlot] = '<<>>')],
  ['the proof slot is a stream', 'rev0_slots', (draft) => void (draft.bodies[o.proofSlot] = writeStream('x'))],
  ['two slots are one object', 'rev0_slots', editBody(o.catalog, `/DSS ${o.dssSlot}`, `/DSS ${o.proofSlot}`)],
  [
    'the AcroForm is shared with a page',
    'rev0_shadow',
    editBody(o.page, '/Type /Page', `/Type /Page /PieceInfo ${o.acroForm} 0 R`),
  ],
  ['a second field', 'rev0_slots', editBody(o.acroForm, '0 R]', `0 R ${o.page} 0 R]`)],
  ['XFA', 'rev0_slots', editBody(o.acroForm, '/SigFlags', '/XFA (x) /SigFlags')],
  ['NeedAppearances', 'rev0_slots', editBody(o.acroForm, '/SigFlags', '/NeedAppearances true /SigFlags')],
  ['SigFlags that allow changes', 'rev0_slots', editBody(o.acroForm, 'Flags 3', 'Flags 1')],
  ['an open action', 'rev0_slots', editBody(o.catalog, '/Lang', '/OpenAction <</S /JavaScript /JS (x)>> /Lang')],
  [
    'an open action with an escaped name',
    'rev0_slots',
    editBody(o.catalog, '/Lang', '/Open#41ction <</S /JavaScript /JS (x)>> /Lang'),
  ],
  ['additional actions', 'rev0_slots', editBody(o.catalog, '/Lang', '/AA <<>> /Lang')],
  [
    'a name tree of scripts',
    'rev0_slots',
    editBody(o.catalog, '/EmbeddedFiles', '/JavaScript <</Names []>> /EmbeddedFiles'),
  ],
  ['a visible signature field', 'rev0_slots', editBody(o.field, '[0 0 0 0]', '[0 0 9 9]')],
  ['a signature field with an appearance', 'rev0_slots', editBody(o.field, '/F 132', '/AP <<>> /F 132')],
  ['a field that may be edited', 'rev0_slots', editBody(o.field, '/F 132', '/F 4')],
  ['a text field', 'rev0_slots', editBody(o.field, '/FT /Sig', '/FT /Tx')],
  ['another DocMDP signature', 'rev0_slots', editBody(o.catalog, `/DocMDP ${o.signatureSlot}`, `/DocMDP ${o.info}`)],
  ['usage rights beside DocMDP', 'rev0_slots', editBody(o.catalog, '/DocMDP', '/UR3 null /DocMDP')],
  ['no DSS slot', 'rev0_slots', editBody(o.catalog, `/DSS ${o.dssSlot} 0 R`, '')],
  ['no proof slot', 'rev0_slots', editBody(o.nameTree, '(proof.tlog-proof)', '(other.txt)')],
  ['the proof is not an associated file', 'rev0_slots', editBody(o.catalog, ` ${o.proofSpec} 0 R]`, ']')],
  ['the proof has a preview', 'rev0_slots', editBody(o.proofSpec, '/Desc', '/Thumb null /Desc')],
  ['a key of the proof with other case', 'rev0_slots', editBody(o.nameTree, '(proof', '(Proof')],
  [
    'a second attachment with the name of the proof',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/UF (proof.tlog-proof)'),
  ],
  [
    'the same in UTF-16',
    'rev0_slots',
    editBody(
      o.manifestSpec,
      '/UF (manifest.json)',
      `/UF <FEFF${Buffer.from('Proof.tlog-proof', 'utf16le').swap16().toString('hex')}>`,
    ),
  ],
  [
    'the same behind a language escape',
    'rev0_slots',
    editBody(
      o.manifestSpec,
      '/UF (manifest.json)',
      `/UF <FEFF001B0065006E001B${Buffer.from('proof.tlog-proof', 'utf16le').swap16().toString('hex')}>`,
    ),
  ],
  [
    'the same over a continued line',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/UF (proof.\\\r\ntlog\\055proof)'),
  ],
  [
    'the same under a name for other systems',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/DOS (PROOF.TLOG-PROOF)'),
  ],
  ['name tree with a key too many', 'rev0_slots', editBody(o.nameTree, ']', '(x)]')],
  ['a key twice', 'rev0_layout', editBody(o.page, '/Type /Page', `/Type /Page /Contents ${o.manifest} 0 R`)],
  [
    'a key twice, once escaped',
    'rev0_layout',
    editBody(o.page, '/Type /Page', `/Type /Page /C#6fntents ${o.manifest} 0 R`),
  ],
  ['a comment', 'rev0_layout', editBody(o.page, '/Type /Page', '%\n/Type /Page')],
  [
    'a comment inside a reference',
    'rev0_layout',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents ${o.proofSlot} %\n0 R`),
  ],
  ['a stream longer than it says', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length 3')],
  ['a stream shorter than it says', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length 4000')],
  ['an indirect stream length', 'rev0_layout', editBody(o.content, /\/Length \d+/, `/Length ${o.info} 0 R`)],
  ['a negative stream length', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length -5')],
  [
    'an object stream',
    'rev0_layout',
    (draft) => void draft.bodies.push(writeStream('', '/Type /ObjStm /N 0 /First 0')),
  ],
  ['/Prev in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /Prev 15')],
  ['/XRefStm in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /XRefStm 15')],
  ['/Encrypt in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /Encrypt <<>>')],
  ['no file identifier', 'rev0_layout', (draft) => void (draft.trailer = draft.trailer.replace(/\/ID.*/, ''))],
  ['a word that is no object', 'rev0_layout', editBody(o.info, 'true', 'truth')],
  ['a string without end', 'rev0_layout', editBody(o.info, '(plain)', '(plain')],
  [
    'a dictionary in a dictionary 600 deep',
    'rev0_layout',
    editBody(o.info, 'true', '[<</A'.repeat(300) + ' 1 ' + '>>]'.repeat(300)),
  ],
]
for (const kind of ['table', 'stream'] as const) {
  test(`what must not be in revision 0 is refused by its own code (cross-reference ${kind})`, async (t) => {
    for (const [name, code, edit] of shadows) {
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
