import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from './bytes.ts'
import { appendUpdate, guessFacts, sealFreely } from './testing/append-update.ts'
import { facts, FORGED, pins, PROOF, request, revision0, testAttacks, type Attack } from './testing/sealed-example.ts'
import { SHADOWS } from './testing/shadows.ts'
import { sealRevision0 } from './testing/sign-seal.ts'
import { draftDocument, editBody, makeRevision0, OBJECTS, writeStream } from './testing/write-revision0.ts'
import { verifySeal } from './verify-seal.ts'

const o = OBJECTS
const { bodies } = draftDocument()
const N = facts.size

/** Seals with the genuine key and in the right layout, with a change of the same length before signing. */
function editSeal(from: string | RegExp, to: (match: string) => string): Uint8Array<ArrayBuffer> {
  return sealRevision0(revision0, { ...request, proof: PROOF, edit: (plain) => plain.replace(from, to) })
}

/** Somebody who holds the genuine signing key and signs properly. */
const insider: Attack[] = [
  [
    'a content stream is overwritten too',
    'seal',
    () => sealFreely(revision0, request, { extra: [[o.content, writeStream(FORGED)]] }),
  ],
  [
    'the catalog is replaced too',
    'seal',
    () =>
      sealFreely(revision0, request, {
        extra: [[o.catalog, bodies[o.catalog]!.replace('/Lang', '/OpenAction <</S /JavaScript /JS (x)>> /Lang')]],
      }),
  ],
  [
    'a hidden layer is switched on',
    'seal',
    () =>
      sealFreely(revision0, request, {
        extra: [[o.catalog, bodies[o.catalog]!.replace('/Lang', '/OCProperties <</OCGs [] /D <<>>>> /Lang')]],
      }),
  ],
  ['another catalog', 'seal', () => sealFreely(revision0, request, { extra: [[N, bodies[o.catalog]!]], root: N })],
  ['an extra object that nobody uses', 'seal', () => sealFreely(revision0, request, { extra: [[N, 'null']] })],
  ['objects in another order', 'seal', () => sealFreely(revision0, request, { order: ['signature', 'proof'] })],
  ['form filling allowed', 'seal', () => sealFreely(revision0, request, { permission: 2 })],
  ['XFA', 'seal', () => sealFreely(revision0, request, { extra: [[o.acroForm, '<</XFA (x)>>']] })],
  ['a hybrid cross-reference', 'seal', () => sealFreely(revision0, request, { trailer: '/XRefStm 20' })],
  ['encryption', 'seal', () => sealFreely(revision0, request, { trailer: '/Encrypt <<>>' })],
  ['/Prev that skips revision 0', 'seal', () => sealFreely(revision0, request, { prev: 15 })],
  ['an unsigned part wider than /Contents', 'seal', () => sealFreely(revision0, request, { unsigned: '/Z(anything)' })],
  ['a further key in the signature', 'seal', () => sealFreely(revision0, request, { keys: '/Reason(x)' })],
  ['form filling allowed, layout kept', 'seal', () => editSeal('/P 1/V', () => '/P 2/V')],
  ['another catalog, layout kept', 'seal', () => editSeal('/Root 1 0 R', () => '/Root 2 0 R')],
  [
    'a cross-reference entry that points elsewhere, layout kept',
    'seal',
    () => editSeal(/\d{10} 00000 n/, () => '0000000015 00000 n'),
  ],
  [
    'a cross-reference entry for another object, layout kept',
    'seal',
    () => editSeal(`xref\n${o.signatureSlot} `, () => `xref\n${o.content} `),
  ],
  [
    'the proof is defined as another object, layout kept',
    'seal',
    () => editSeal(`${o.proofSlot} 0 obj`, () => `${o.manifest} 0 obj`),
  ],
  [
    '/ByteRange one byte short, layout kept',
    'seal',
    () =>
      editSeal(/\/ByteRange\[0 \d+/, (match) =>
        match.replace(/\d$/, (digit) => (digit === '0' ? '1' : String(Number(digit) - 1))),
      ),
  ],
  ['a tab for a space, layout kept', 'seal', () => editSeal(' 0 obj', () => '\t0 obj')],
  [
    'another file identifier, layout kept',
    'seal',
    () => editSeal(/<[0-9a-f]{32}>\]/, (match) => match.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0'))),
  ],
  [
    '/Prev elsewhere, layout kept',
    'seal',
    () => editSeal(/\/Prev \d/, (match) => match.replace(/\d$/, (digit) => (digit === '9' ? '8' : '9'))),
  ],
  ['a page in place of the proof', 'seal', () => sealRevision0(revision0, { ...request, proof: writeLatin1(FORGED) })],
  [
    'a proof that is no text',
    'seal',
    () => sealRevision0(revision0, { ...request, proof: new Uint8Array([...PROOF, 0xff, 0xfe]) }),
  ],
  [
    'revision 0 with a revision of its own',
    'seal',
    () => sealFreely(writeLatin1(appendUpdate(readLatin1(revision0), [[o.content, writeStream(FORGED)]])), request),
  ],
]

testAttacks('somebody who holds the signing key gets no change past the verifier', insider)

test('a revision 0 that hides content is refused although it is sealed with the genuine key', async (t) => {
  for (const [what, code, edit] of SHADOWS) {
    await t.test(what, async () => {
      const other = makeRevision0(edit)
      const file = sealRevision0(other, { ...request, facts: guessFacts(revision0, other), proof: PROOF })
      await assert.rejects(verifySeal(file, { pins }), { name: 'ProofError', code })
    })
  }
})

test('the ways of attacking do not fail by themselves: without a change they give a file that is accepted', async () => {
  const facts0 = guessFacts(revision0, makeRevision0())
  assert.deepEqual(facts0, facts)
  await verifySeal(sealRevision0(revision0, { ...request, facts: facts0, proof: PROOF }), { pins })
  await verifySeal(sealRevision0(makeRevision0(editBody(o.content, 'Certified', 'Otherwise')), request), { pins })
})
