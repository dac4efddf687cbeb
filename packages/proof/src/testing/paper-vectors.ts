import { joinBytes, type Bytes } from '../bytes.ts'
import type { ProofErrorCode } from '../errors.ts'
import { toBase32, fromBase32 } from '../paper/base32.ts'
import { decodeCbor, encodeCbor, type CborValue } from '../paper/cbor.ts'
import { listSignedBytes } from '../paper/cose-sign1.ts'
import { encodePaperClaims } from '../paper/paper-claims.ts'
import { FACTS, makePaperKey, paperKey, signFacts } from './paper-example.ts'

export interface PaperVector {
  id: string
  text: string
  /** Keys of the policy. */
  keys: string[]
  code?: ProofErrorCode
}

const OWN = -65_537
const keyId = paperKey.signer.keyId
const header = (...members: [number, CborValue][]) => encodeCbor(new Map<number, CborValue>(members))
const HEADER = header([1, -8], [4, keyId])

/** Signs whatever it is given with the right key, so that only its form is wrong. */
async function sign(payload: Bytes, protectedHeader = HEADER): Promise<Bytes> {
  const signature = await paperKey.signer.sign(listSignedBytes({ protectedHeader, payload }))
  return joinBytes(Uint8Array.of(0xd2), encodeCbor([protectedHeader, new Map(), payload, signature]))
}

type Claims = Map<number, CborValue>

/** Signs claims that were changed after they were made. */
async function signChanged(change: (claims: Claims, own: CborValue[]) => void): Promise<string> {
  const claims = new Map(decodeCbor(encodePaperClaims(FACTS)) as Claims)
  const own = [...(claims.get(OWN) as CborValue[])]
  claims.set(OWN, own)
  change(claims, own)
  return toBase32(await sign(encodeCbor(claims)))
}

/** Codes, most of which must be refused. */
export async function listPaperVectors(): Promise<PaperVector[]> {
  const text = await signFacts()
  const bytes = fromBase32(text)!
  const payload = encodePaperClaims(FACTS)
  const other = makePaperKey('another')
  const spliced = (from: number, to: number, ...middle: number[]) =>
    toBase32(joinBytes(bytes.slice(0, from), Uint8Array.from(middle), bytes.slice(to)))
  const flipped = (at: number) => spliced(at, at + 1, bytes[at]! ^ 1)
  const right: [id: string, text: string, keys?: string[]][] = [
    ['a code', text],
    ['one of two keys', text, [other.text, paperKey.text]],
    ['without an end', await signFacts({ expiresAt: null })],
    ['title and organisation cut', await signFacts({ title: 'x'.repeat(200), organisation: 'y'.repeat(200) })],
  ]
  const wrong: [id: string, code: ProofErrorCode, text: string, keys?: string[]][] = [
    ['no key', 'paper_trust', text, []],
    ['another key', 'paper_trust', text, [other.text]],
    ['the key id of one, the signature of another', 'paper_signature', await signFacts({}, { ...other.signer, keyId })],
    ['signature changed', 'paper_signature', flipped(bytes.length - 1)],
    ['name changed', 'paper_signature', toBase32(replaceText(bytes, 'ada', 'eve'))],
    ['nothing', 'paper', ''],
    ['small letters', 'paper', text.toLowerCase()],
    ['padded', 'paper', `${text}=`],
    ['one letter more', 'paper', `${text}A`],
    ['a byte more', 'paper', toBase32(joinBytes(bytes, Uint8Array.of(0)))],
    ['a byte less', 'paper', toBase32(bytes.slice(0, -1))],
    ['without its tag', 'paper', toBase32(bytes.slice(1))],
    ['another tag', 'paper', spliced(0, 1, 0xd1)],
    ['a list of five', 'paper', spliced(1, 2, 0x85)],
    ['a list without length', 'paper', toBase32(joinBytes(openList(bytes), Uint8Array.of(0xff)))],
    ['a long head', 'paper', spliced(2, 3, 0x58, bytes[2]! & 31)],
    ['an unprotected header', 'paper', spliced(16, 17, 0xa1, 4, 0x41, 0)],
    ['another algorithm', 'paper', toBase32(await sign(payload, header([1, -7], [4, keyId])))],
    ['no algorithm', 'paper', toBase32(await sign(payload, header([4, keyId])))],
    ['no key id', 'paper', toBase32(await sign(payload, header([1, -8])))],
    ['a short key id', 'paper', toBase32(await sign(payload, header([1, -8], [4, keyId.slice(1)])))],
    ['one header more', 'paper', toBase32(await sign(payload, header([1, -8], [4, keyId], [3, 0])))],
    ['no payload', 'paper', toBase32(await sign(new Uint8Array()))],
    ['a payload that goes on', 'paper', toBase32(await sign(joinBytes(payload, Uint8Array.of(0))))],
    ['keys in another order', 'paper', toBase32(await sign(reorder(payload)))],
    ['a later version', 'newer', await signChanged((_claims, own) => (own[0] = 2))],
    ['a later version with more', 'newer', await signChanged((_claims, own) => own.splice(0, 1, 3, 'more'))],
    ['version nought', 'paper', await signChanged((_claims, own) => (own[0] = 0))],
    ['a claim more', 'paper', await signChanged((claims) => claims.set(5, 1))],
    ['a value more', 'paper', await signChanged((_claims, own) => own.push(0))],
    ['a value less', 'paper', await signChanged((_claims, own) => own.pop())],
    ['no claims of ours', 'paper', await signChanged((claims) => claims.delete(OWN))],
    ['no name', 'paper', await signChanged((claims) => claims.set(2, ''))],
    ['a name that is bytes', 'paper', await signChanged((claims) => claims.set(2, keyId))],
    ['no organisation', 'paper', await signChanged((claims) => claims.delete(1))],
    ['a time before 1970', 'paper', await signChanged((claims) => claims.set(6, -1))],
    ['an end that is text', 'paper', await signChanged((claims) => claims.set(4, 'never'))],
    ['a short Proof ID', 'paper', await signChanged((claims) => claims.set(7, keyId))],
    ['no pages', 'paper', await signChanged((_claims, own) => (own[2] = 0))],
    ['something else was cut', 'paper', await signChanged((_claims, own) => (own[3] = 4))],
    ['a short hash', 'paper', await signChanged((_claims, own) => (own[4] = keyId))],
    ['hash as text', 'paper', await signChanged((_claims, own) => (own[5] = 'ab'.repeat(32)))],
  ]
  return [
    ...right.map(([id, one, keys = [paperKey.text]]) => ({ id, text: one, keys })),
    ...wrong.map(([id, code, one, keys = [paperKey.text]]) => ({ id, text: one, keys, code })),
  ]
}

/** The outer list without its length. */
const openList = (bytes: Bytes): Bytes => joinBytes(bytes.slice(0, 1), Uint8Array.of(0x9f), bytes.slice(2))

/** The first two members of the map change places. */
function reorder(payload: Bytes): Bytes {
  const claims = decodeCbor(payload) as Claims
  const parts = [...claims].map(([key, value]) => joinBytes(encodeCbor(key), encodeCbor(value)))
  const [first, second, ...others] = parts as [Bytes, Bytes, ...Bytes[]]
  return joinBytes(payload.slice(0, 1), second, first, ...others)
}

function replaceText(bytes: Bytes, from: string, to: string): Bytes {
  const at = Buffer.from(bytes).indexOf(from)
  if (at < 0) throw new Error(`no ${from}`)
  return joinBytes(bytes.slice(0, at), Buffer.from(to), bytes.slice(at + to.length))
}
