import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fromHex, joinBytes, toHex } from '../bytes.ts'
import { hashSha256 as hash } from '../sha256.ts'
import { ProofError } from '../errors.ts'
import { hashChildren, hashLeaf } from '../log/tree.ts'
import { makeProofId, packProofId, unpackProofId } from '../proof-id.ts'
import { MAX_SECONDS } from '../seconds.ts'
import { FACTS, makePaperKey, paperKey, signFacts } from '../testing/paper-example.ts'
import { ENDS_AT } from '../testing/certified-example.ts'
import { startNumbers } from '../testing/start-numbers.ts'
import { writeUtf8 } from '../utf8.ts'
import { fromBase32, toBase32 } from './base32.ts'
import { decodeCbor, encodeCbor, type CborValue } from './cbor.ts'
import { cutText } from './cut-text.ts'
import { computeFilesRoot } from './files-root.ts'
import { decodePaperClaims, encodePaperClaims } from './paper-claims.ts'
import { findPaperCode } from './find-paper-code.ts'
import { MAX_PAPER_CODE_LETTERS, readPaperCode } from './paper-code.ts'
import { computePaperKeyId } from './paper-key-id.ts'
import { verifyPaper } from './verify-paper.ts'

const policy = { paperKeys: [paperKey.text] }
const NOW = (ENDS_AT - 1) * 1000

describe('a code on paper', () => {
  test('16.1 says what was signed, by the policy alone', async () => {
    const code = await signFacts()
    const { verdict, claims, keyId } = await verifyPaper(code, { policy, now: NOW })
    assert.equal(verdict, 'valid')
    assert.deepEqual(claims, { ...FACTS, isTitleCut: false, isOrganisationCut: false })
    assert.equal(keyId, toHex(paperKey.signer.keyId))
  })

  test('16.1 is expired from the second on that it names, and says then what it was', async () => {
    const code = await signFacts()
    assert.equal((await verifyPaper(code, { policy, now: ENDS_AT * 1000 - 1 })).verdict, 'valid')
    const over = await verifyPaper(code, { policy, now: ENDS_AT * 1000 })
    assert.deepEqual([over.verdict, over.claims?.username], ['expired', FACTS.username])
    const endless = await signFacts({ expiresAt: null })
    assert.equal((await verifyPaper(endless, { policy, now: 9e15 })).verdict, 'valid')
  })

  test('16.1 asked about a time before its approval it was not yet approved then', async () => {
    const code = await signFacts()
    const ask = async (now: number, isAsked: boolean) => (await verifyPaper(code, { policy, now, isAsked })).verdict
    const at = FACTS.approvedAt * 1000
    assert.deepEqual(
      [await ask(at - 1, true), await ask(at, true), await ask(at - 1, false)],
      ['not_yet', 'valid', 'valid'],
    )
    assert.equal((await verifyPaper(code, { policy, now: 0, isAsked: true })).claims?.username, FACTS.username)
  })

  test('16.1 of average names takes at most 286 bytes, and the longest names fit', async () => {
    const lengthOf = async (changes: Parameters<typeof signFacts>[0]) => fromBase32(await signFacts(changes))!.length
    assert.equal(await lengthOf({}), 256)
    assert.ok((await lengthOf({ title: '題'.repeat(200), organisation: 'Ä'.repeat(200) })) <= 286)
    const longest = await signFacts({
      username: '\u{20000}'.repeat(150),
      title: 'x'.repeat(200),
      organisation: 'y'.repeat(200),
    })
    assert.ok(longest.length <= MAX_PAPER_CODE_LETTERS)
  })

  test('16.4 a title that does not fit is cut between characters, and that is said', () => {
    const read = (title: string) => decodePaperClaims(encodePaperClaims({ ...FACTS, title }))
    const family = '👩‍👩‍👧'
    const { title, isTitleCut } = read(family.repeat(20))
    assert.ok(isTitleCut && title.length > 0)
    assert.equal(title.replaceAll(family, ''), '')
    assert.deepEqual(cutText('e' + '\u0301'.repeat(50), 5), { text: 'e\u0301\u0301', isCut: true })
    assert.deepEqual(cutText('abc', 3), { text: 'abc', isCut: false })
    assert.equal(read('\ud800').title, '\ufffd')
  })

  test('16.3 is found in an address, as typed by hand, and in nothing else', async () => {
    const code = await signFacts()
    const typed = code.toLowerCase().replace(/(.{4})/g, '$1 ')
    for (const text of [code, `#${code}`, `https://proof.example/service-content#${code}\n`, typed])
      assert.equal(findPaperCode(text), code)
    for (const text of [
      '',
      '#',
      'https://proof.example/service-content#proofid=A&username=b',
      'x'.repeat(9000),
      'LEASE',
    ])
      assert.equal(findPaperCode(text), undefined)
    assert.equal((await verifyPaper('Lease', { policy, now: NOW })).verdict, 'not_found')
  })

  test('16.3 signed by a key that the policy does not name is not found, and shows nothing', async () => {
    const stranger = makePaperKey('stranger')
    const report = await verifyPaper(await signFacts({}, stranger.signer), { policy, now: NOW })
    assert.deepEqual(report, { verdict: 'not_found', code: 'paper_trust', claims: null, keyId: null })
    assert.equal((await verifyPaper(await signFacts(), { policy: { paperKeys: [] }, now: NOW })).code, 'paper_trust')
  })

  test('16.2 of 1,000 forged and altered codes none is accepted', async () => {
    const next = startNumbers(20_261_123)
    const honest = fromBase32(await signFacts())!
    const stranger = makePaperKey('stranger').signer
    for (let i = 0; i < 1000; i++) {
      const { verdict, claims } = await verifyPaper(await forge(i, honest, stranger, next), { policy, now: NOW })
      assert.ok(verdict === 'altered' || verdict === 'not_found' || verdict === 'newer', `${i}: ${verdict}`)
      assert.equal(claims, null)
    }
  })

  test('16.2 a time that no date can tell is refused, whoever signed it', () => {
    const last = encodePaperClaims({ ...FACTS, expiresAt: MAX_SECONDS })
    assert.equal(decodePaperClaims(last).expiresAt, MAX_SECONDS)
    for (const times of [{ approvedAt: MAX_SECONDS + 1 }, { expiresAt: MAX_SECONDS + 1 }])
      assert.throws(() => encodePaperClaims({ ...FACTS, ...times }), { code: 'paper' })
  })

  test('16.2 any text, and any bytes, are refused with a ProofError and nothing else', async () => {
    const next = startNumbers(20_261_123)
    const honest = await signFacts()
    for (let i = 0; i < 400; i++) {
      const random = Uint8Array.from({ length: next(300) }, () => next(256))
      const changed = honest.slice(0, next(honest.length)) + toBase32(random) + honest.slice(next(honest.length))
      for (const text of [toBase32(joinBytes(Uint8Array.of(0xd2, 0x84), random)), changed]) {
        try {
          readPaperCode(text)
        } catch (error) {
          assert.ok(error instanceof ProofError, String(error))
        }
        await verifyPaper(text, { policy, now: NOW })
      }
    }
  })
})

/** One of five kinds of forgery. */
async function forge(
  i: number,
  honest: Uint8Array<ArrayBuffer>,
  stranger: Parameters<typeof signFacts>[1],
  next: (below: number) => number,
): Promise<string> {
  const bytes = honest.slice()
  switch (i % 5) {
    // one bit
    case 0:
      bytes[next(bytes.length)]! ^= 1 << next(8)
      return toBase32(bytes)
    // a few bytes
    case 1:
      for (let n = 0; n <= next(8); n++) {
        const at = next(bytes.length)
        bytes[at] = (bytes[at]! + 1 + next(255)) & 255
      }
      return toBase32(bytes)
    // other claims under the old signature
    case 2: {
      const changed = fromBase32(await signFacts({ username: `eve${i}`, title: 'Deed' }))!
      return toBase32(joinBytes(changed.slice(0, -64), honest.slice(-64)))
    }
    // honest claims, signed by somebody else who names the right key
    case 3:
      return signFacts({ username: `eve${i}` }, { keyId: paperKey.signer.keyId, sign: stranger!.sign })
    // somebody else's own
    default:
      return signFacts({ pages: 1 + next(100) }, stranger)
  }
}

describe('what codes are made of', () => {
  // RFC 4648 section 10, without padding
  const BASE32 = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [plain, coded] of Object.entries(BASE32))
    test(`base 32 of “${plain}”`, () => {
      assert.equal(toBase32(writeUtf8(plain)), coded)
      assert.deepEqual(fromBase32(coded), writeUtf8(plain))
    })

  test('base 32 has one form', () => {
    for (const text of ['M', 'MZ1Q', 'my', 'MZ', 'MY=', 'M Y', 'MZX']) assert.equal(fromBase32(text), undefined, text)
  })

  // RFC 8949 appendix A
  const CBOR: [hex: string, value: CborValue][] = [
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
    ['20', -1],
    ['3903e7', -1000],
    ['4401020304', Uint8Array.of(1, 2, 3, 4)],
    ['62c3bc', 'ü'],
    ['83010203', [1, 2, 3]],
    [
      'a201020304',
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ],
  ]
  for (const [hex, value] of CBOR)
    test(`CBOR ${hex}`, () => {
      assert.equal(toHex(encodeCbor(value)), hex)
      assert.deepEqual(decodeCbor(fromHex(hex)), value)
    })

  test('CBOR has one form, and nothing else is read', () => {
    const wrong = [
      '',
      '1817',
      '190018',
      '1a00000001',
      '1bffffffffffffffff',
      '0000',
      '41',
      '62c3',
      '62ffff',
      '8101ff',
      '9f01ff',
      'a203040102',
      'a201020103',
      'a2010202',
      'f4',
      'f6',
      'fb3ff0000000000000',
      'c100',
      'a1616101',
      '1c',
      'ff',
      '81818181818100',
      '9b7fffffffffffffff',
      '5b001fffffffffffff',
      `${'81'.repeat(5000)}00`,
    ]
    for (const hex of wrong) assert.equal(decodeCbor(fromHex(hex)), undefined, hex)
  })

  test('the id of a key is the beginning of its COSE thumbprint', () => {
    // RFC 9679 section 3, by hand: {1: 1, -1: 6, -2: key}
    const key = new Uint8Array(32).fill(7)
    const cose = joinBytes(fromHex('a301012006215820'), key)
    assert.deepEqual(computePaperKeyId(key), hash(cose).slice(0, 8))
  })

  test('the root of files names each of them and their order', () => {
    const files = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32))
    const leaves = files.map((file) => hashLeaf(joinBytes(writeUtf8('proofdesk/file/v1\n'), fromHex(file))))
    const [one, two, three] = leaves as [(typeof leaves)[0] & {}, (typeof leaves)[0] & {}, (typeof leaves)[0] & {}]
    assert.equal(computeFilesRoot(files), toHex(hashChildren(hashChildren(one, two), three)))
    assert.equal(computeFilesRoot(files.slice(0, 1)), toHex(one))
    assert.notEqual(computeFilesRoot(files.toReversed()), computeFilesRoot(files))
  })

  test('a Proof ID is ten bytes, and comes back', () => {
    for (let i = 0; i < 50; i++) {
      const id = makeProofId(Uint8Array.of(i))
      assert.equal(unpackProofId(packProofId(id)!), id)
    }
    assert.equal(packProofId('7q3k-9zb4-m0xt-c8vn-k'), undefined)
    assert.equal(unpackProofId(new Uint8Array(9)), undefined)
  })
})
