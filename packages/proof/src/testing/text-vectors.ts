import { toBase64 } from '../base64.ts'
import { formatCheckpoint } from '../log/checkpoint.ts'
import { commit, digestDisclosure, type ProofFields } from '../log/commitment.ts'
import { cosign } from '../log/cosignature.ts'
import { formatNote, SIGNATURE_TYPE, signNote } from '../log/note.ts'
import { formatStatement, type Statement } from '../log/statements.ts'
import { formatTlogProof } from '../log/tlog-proof.ts'
import { EMPTY_ROOT } from '../log/tree.ts'
import { makeProofId } from '../proof-id.ts'
import { makeLogKey } from './log-keys.ts'

/** A text that must be read where it has no `code`, and refused with that code where it has one. */
export interface TextVector {
  id: string
  text: string
  code?: string
}

/** A note beside the keys that are known. */
export interface NoteVector extends TextVector {
  keys: string[]
}

export interface CommitmentVector {
  id: string
  commitment: string
  shown: string[]
  hidden: string[]
  fields?: Partial<ProofFields>
  code?: string
}

const log = makeLogKey('example.com/log')
const witness = makeLogKey('example.net/w1', SIGNATURE_TYPE.cosignature)
const other = makeLogKey('example.net/w2', SIGNATURE_TYPE.cosignature)
const HASH = 'uU0nuZNNPgilLlLX2n2r-sSE7-N6U4DukIj3rOLvzek'
const TEXT = formatCheckpoint({ origin: 'example.com/log', size: 5, root: EMPTY_ROOT })

/** Every change of `text`: what is replaced, by what. */
function breakText(id: string, text: string, code: string, edits: [from: string | RegExp, to: string][]): TextVector[] {
  return edits.map(([from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${id} has no ${from}`)
    return { id: `${id}: ${JSON.stringify(String(from))} becomes ${JSON.stringify(to)}`, text: changed, code }
  })
}

/** Edits that make another form of any JSON. */
const OTHER_JSON: [RegExp, string][] = [
  [/^/, ' '],
  [/$/, '\n'],
  [/,/, ', '],
  [/:/, ': '],
  [/"k"/, String.raw`"\u006b"`],
  [/"v":1/, '"v":1.0'],
  [/"v":1/, '"v":1e0'],
  [/"v":1/, '"v":2'],
  [/"v":1/, '"v":1,"v":1'],
  [/"v":1/, '"v":1,"z":1'],
  [/\}$/, ''],
  [/^\{(.*)\}$/, '[$1]'],
  [/"t":\d+/, '"t":-1'],
  [/"t":\d+/, '"t":0.5'],
  [/"t":\d+/, '"t":9007199254740992'],
  [/"t":\d+/, '"t":"1"'],
  [/"t":\d+/, '"t":null'],
]

export function listStatementVectors(): TextVector[] {
  const time = 1_764_028_800
  const statements: Statement[] = [
    { kind: 'genesis', origin: 'proofs.example.org/log', time },
    { kind: 'key', operation: 'add', use: 'doc', fingerprint: HASH, time },
    { kind: 'key', operation: 'revoke', use: 'log', fingerprint: HASH, size: 7, time },
    { kind: 'approve', commitment: HASH, expiryDay: 20_782, time },
    { kind: 'approve', commitment: HASH, time },
    { kind: 'revoke', commitment: HASH, ref: 2, time },
    { kind: 'reinstate', commitment: HASH, ref: 2, time },
    { kind: 'amend', commitment: HASH, ref: 2, expiryDay: 21_000, time },
    { kind: 'status', hash: HASH, size: 70_000, page: 0, time },
  ]
  return statements.flatMap((statement, i) => {
    const text = Buffer.from(formatStatement(statement)).toString()
    const id = `${i} ${statement.kind}`
    const hashes: [RegExp, string][] = text.includes(HASH)
      ? [
          [/zek"/, 'zel"'],
          [/zek"/, 'zek="'],
          [/uU0n/, 'uU+n'],
        ]
      : []
    return [
      { id, text },
      ...breakText(id, text, 'log_statement', [...OTHER_JSON, ...hashes, [/"k":"\w+"/, '"k":"other"']]),
    ]
  })
}

export async function listNoteVectors(): Promise<NoteVector[]> {
  const note = await signNote(TEXT, [log.signer])
  const cosigned = formatNote(TEXT, [
    await cosign(TEXT, witness.signer, 1_764_028_803),
    await cosign(TEXT, other.signer, 1),
  ])
  const keys = [log.verifierKey, witness.verifierKey]
  const edits: [string | RegExp, string][] = [
    ['\n\n', '\n'],
    ['\n\n', '\n\n\n\u2014 a AAAA\n'],
    ['\u2014', '-'],
    ['\u2014 ', '\u2014'],
    [' example.com/log ', ' example com/log '],
    [' example.com/log ', ' example+com/log '],
    [/\n$/, ''],
    [/\n$/, '\n\n'],
    [/=\n$/, '\n'],
    ['example.com/log\n', 'example.com/log\r\n'],
    ['example.com/log\n', 'example.com/log\t\n'],
  ]
  const wrong: [string | RegExp, string][] = [
    ['\n5\n', '\n6\n'],
    ['example.com/log\n', 'example.com/lag\n'],
  ]
  return [
    { id: 'signed by the log', text: note },
    { id: 'signed by a witness, and by one that is not known', text: cosigned },
    ...breakText('signed by the log', note, 'log_note', edits),
    ...breakText('signed by the log', note, 'log_signature', wrong),
    ...breakText('signed by a witness', cosigned, 'log_signature', wrong),
    { id: 'signed by nobody known', text: formatNote(TEXT, [await cosign(TEXT, other.signer, 1)]), code: 'log_trust' },
    { id: 'an empty signature', text: `${TEXT}\n\u2014 example.com/log AAAAAA==\n`, code: 'log_note' },
    { id: 'signed 101 times', text: note + note.slice(TEXT.length + 1).repeat(100), code: 'log_note' },
  ].map((vector) => ({ ...vector, keys }))
}

export function listCheckpointVectors(): TextVector[] {
  return [
    { id: 'a checkpoint', text: TEXT },
    { id: 'an origin with blanks', text: TEXT.replace('example.com/log', 'go.sum database tree') },
    { id: 'the largest size', text: TEXT.replace('\n5\n', '\n9007199254740991\n') },
    ...breakText('a checkpoint', TEXT, 'log_checkpoint', [
      [/^.*\n/, '\n'],
      [/^.*\n/, ''],
      ['\n5\n', '\n05\n'],
      ['\n5\n', '\n-5\n'],
      ['\n5\n', '\n+5\n'],
      ['\n5\n', '\n5 \n'],
      ['\n5\n', '\n5e0\n'],
      ['\n5\n', '\n0x5\n'],
      ['\n5\n', '\n9007199254740992\n'],
      ['\n5\n', '\n18446744073709551616\n'],
      ['\n5\n', '\n\n'],
      [/\n$/, ''],
      [/\n$/, '\n\n'],
      [/\n$/, '\nan extension line\n'],
      [/=\n$/, '\n'],
      ['47DE', ''],
      ['47DE', '47DE47DE'],
      ['FU=', 'FV='],
      ['\n', '\r\n'],
      ['example', 'exa\u0000mple'],
    ]),
  ]
}

export function listProofVectors(): TextVector[] {
  const extra = new TextEncoder().encode('any bytes')
  const text = formatTlogProof({ index: 2, path: [EMPTY_ROOT, EMPTY_ROOT], checkpoint: `${TEXT}\n`, extra })
  const long = `${toBase64(EMPTY_ROOT)}\n`
  return [
    { id: 'a proof file', text },
    { id: 'without extra', text: text.replace(/extra .*\n/, '') },
    { id: 'without path', text: text.replaceAll(/(?<=index 2\n)(?:.{44}\n)+/g, '') },
    ...breakText('a proof file', text, 'log_proof', [
      ['@v1', '@v2'],
      [/^/, '\n'],
      ['proof@v1\n', 'proof@v1\r\n'],
      ['extra ', 'extra  '],
      ['extra ', 'Extra '],
      [/extra .*\n/, 'extra AB==\n'],
      [/extra .*\n/, 'extra AAA\n'],
      [/extra .*\n/, 'extra AA-_\n'],
      [/(extra .*\n)/, '$1$1'],
      [/(extra .*\n)(index 2\n)/, '$2$1'],
      ['index 2', 'index 02'],
      ['index 2', 'index -2'],
      ['index 2', 'index two'],
      ['index 2', 'index 9007199254740992'],
      ['index 2\n', ''],
      [/(index 2\n)/, '$1$1'],
      [long, long.replace('=', '')],
      [long, long.replace('FU=', 'FV=')],
      [long, long.repeat(53)],
      [/\n\n[^]*$/, ''],
      [/\n\n[^]*$/, '\n\n'],
      [/\n+$/, ''],
    ]),
  ]
}

export function listPolicyVectors(): TextVector[] {
  const text =
    `log ${log.verifierKey}\nwitness a ${witness.verifierKey}\nwitness b ${other.verifierKey} https://example.net/\n` +
    'group both 2 a b\nquorum both\n'
  return [
    { id: 'a policy', text },
    { id: 'no witnesses', text: `log ${log.verifierKey}\nquorum none\n` },
    { id: 'blanks and comments', text: `# ours\n\n\t${text.replaceAll(' ', ' \t ')}` },
    ...breakText('a policy', text, 'log_policy', [
      ['quorum both\n', ''],
      ['quorum both\n', 'quorum c\n'],
      ['quorum both\n', 'quorum both\nquorum both\n'],
      ['quorum both\n', 'quorum a b\n'],
      [/\n$/, ''],
      [/\n$/, '\r\n'],
      ['both 2 a b', 'both 3 a b'],
      ['both 2 a b', 'both 0 a b'],
      ['both 2 a b', 'both 02 a b'],
      ['both 2 a b', 'both 2 a a'],
      ['both 2 a b', 'both 2 a c'],
      ['both 2 a b', 'both 2 a both'],
      ['both 2 a b', 'both 2 a none'],
      ['both 2 a b', 'both all'],
      ['both 2 a b', 'a 2 a b'],
      ['both 2 a b', 'none 2 a b'],
      ['group both 2 a b\n', 'group one 1 a\ngroup both 2 a b\n'],
      ['witness b', 'witness a'],
      ['witness b', 'witness none'],
      [/witness b .*\n/, `witness b ${witness.verifierKey}\n`],
      [/witness b .*\n/, `witness b ${log.verifierKey}\n`],
      [/log .*\n/, `log ${makeLogKey('example.com/log', SIGNATURE_TYPE.cosignature).verifierKey}\n`],
      ['log ', 'Log '],
      ['https://example.net/', 'https://example.net/ more'],
      ['witness b', 'witness b c'],
    ]),
    ...breakText('a policy', text, 'log_note', [
      [/log .*\n/, 'log\n'],
      [/\+([0-9a-f]{7})./, '+$1x'],
    ]),
  ]
}

export function listCommitmentVectors(): CommitmentVector[] {
  const seed = Uint8Array.from({ length: 32 }, (_, i) => i)
  const fields: ProofFields = {
    pid: makeProofId(seed),
    doc: [{ sha256: '0f'.repeat(32), size: 1000, type: 'application/pdf' }],
    iat: '2025-11-25T00:00:00Z',
    exp: null,
    sub: 'alice',
    col: 'Lease “14 Rue Cler”',
    by: 'registrar',
    org: 'دانشگاه نمونه',
    note: null,
    dig: null,
  }
  const { commitment, disclosures } = commit(seed, fields)
  const digests = disclosures.map(digestDisclosure)
  const hidden = { id: 'all hidden', commitment, shown: [], hidden: digests, fields: {} }
  const wrong: [what: string, shown: string[], hidden: string[]][] = [
    ['nothing', [], []],
    ['one missing', disclosures.slice(1), []],
    ['one twice', [...disclosures, disclosures[0]!], []],
    ['one shown and hidden', disclosures, [digests[0]!]],
    ['one hidden too many', disclosures, ['A'.repeat(43)]],
    ['a digest of another length', disclosures.slice(1), ['AAAA']],
    ['a digest with a line more', [], [...digests.slice(0, -1), `${digests.at(-1)!}\n`]],
    ['digests in one', [], [digests.join('\n')]],
    [
      'another value',
      [Buffer.from('["AAAAAAAAAAAAAAAAAAAAAA","by","mallory"]').toString('base64url'), ...disclosures.slice(1)],
      [],
    ],
  ]
  return [
    { id: 'all shown', commitment, shown: disclosures, hidden: [], fields },
    hidden,
    ...wrong.map(([id, shown, others]) => ({ id, commitment, shown, hidden: others, code: 'log_commitment' })),
    { ...hidden, id: 'another commitment', commitment: 'A'.repeat(43), code: 'log_commitment' },
  ]
}
