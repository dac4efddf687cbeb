import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import { findOrder } from '../checker/find-order.ts'
import type { Operation } from '../checker/history.ts'
import type { CollectionCall, SeenCollection, Told, Verified } from './collection-calls.ts'
import { collectionModel } from './collection-model.ts'
import { splitRefusals } from './split-refusals.ts'

const PID = '7ZQK-3M9D-XW2C-VB4T-8'
const [FILE, DIGEST, TEXT] = ['aa', 'd1', 'Fine']

const OPEN: SeenCollection = {
  title: 'Degree',
  isLocked: false,
  proofId: null,
  description: DEFAULT_ADMIN_DESC,
  reviewer: null,
  fileCount: 1,
  isRevoked: false,
  waiting: undefined,
  isSealing: false,
}
const PREPARING: SeenCollection = {
  ...OPEN,
  isLocked: true,
  waiting: { number: 1, digest: null, document: 'preparing' },
}
const READY: SeenCollection = { ...PREPARING, waiting: { number: 1, digest: DIGEST, document: 'ready' } }
const SEALING: SeenCollection = { ...READY, isSealing: true }
const PUBLISHED: SeenCollection = { ...OPEN, isLocked: true, proofId: PID, description: TEXT, reviewer: 'sam' }
const REJECTED: SeenCollection = { ...OPEN, description: 'No', reviewer: 'kim' }
const VALID: Verified = { verdict: 'valid', reason: null, title: 'Degree', files: [FILE] }
const REVOKED: Verified = { ...VALID, verdict: 'revoked', reason: 'superseded' }

const done = <Shown>(shown: Shown) => ({ told: 'done', shown }) as const
const refused = (code: string) => ({ told: 'refused', code }) as const
const unknown = { told: 'unknown' } as const

const create: CollectionCall = { kind: 'create', title: 'Degree', answer: done({ ...OPEN, fileCount: 0 }) }
const upload: CollectionCall = { kind: 'upload', sha256: FILE, answer: done({ sha256: FILE }) }
const send: CollectionCall = { kind: 'send', answer: done(PREPARING) }
const see = (shown: SeenCollection): CollectionCall => ({ kind: 'see', answer: done(shown) })
const approve = (answer: Told<undefined>, digest?: string): CollectionCall => ({
  kind: 'approve',
  text: TEXT,
  by: 'sam',
  digest,
  answer,
})
const refuse = (digest?: string): CollectionCall => approve(refused('collection_not_reviewable'), digest)
const reject = (answer: Told<SeenCollection>, digest?: string): CollectionCall => ({
  kind: 'reject',
  text: 'No',
  by: 'kim',
  digest,
  answer,
})
const withdraw = (answer: Told<SeenCollection>): CollectionCall => ({ kind: 'withdraw', text: 'No', by: 'kim', answer })
const revoke = (answer: Told<number>, count?: number): CollectionCall => ({
  kind: 'revoke',
  proofId: PID,
  reason: 'superseded',
  count,
  answer,
})
const reinstate = (answer: Told<number>): CollectionCall => ({
  kind: 'reinstate',
  proofId: PID,
  count: undefined,
  answer,
})
const verify = (answer: Extract<CollectionCall, { kind: 'verify' }>['answer']): CollectionCall => ({
  kind: 'verify',
  proofId: PID,
  answer,
})
const fetched = (sha256: string): CollectionCall => ({ kind: 'fetch', proofId: PID, answer: done({ sha256 }) })
const seeFiles = (...files: string[]): CollectionCall => ({ kind: 'see files', answer: done(files) })

const SENT = [create, upload, send]
const APPROVED = [...SENT, approve(done(undefined)), see(PUBLISHED)]

/** One after the other; a list within stands for those that overlap. */
type Script = (CollectionCall | CollectionCall[])[]

function judge(script: Script) {
  const operations = script.flatMap((entry, index) =>
    [entry].flat().map((call): Operation<CollectionCall> => {
      const began = index * 10
      return { call, began, ended: call.answer.told === 'unknown' ? undefined : began + 5 }
    }),
  )
  return findOrder(collectionModel, splitRefusals(operations)).kind
}

const GOOD: Record<string, Script> = {
  'sent, prepared, approved, sealed and verified': [
    ...SENT,
    see(READY),
    approve(done(undefined), DIGEST),
    see(SEALING),
    verify(refused('proof_not_found')),
    see(PUBLISHED),
    verify(done(VALID)),
    fetched('ff'),
    fetched('ff'),
  ],
  'rejected, mended and sent again': [
    ...SENT,
    reject(done(REJECTED)),
    { kind: 'rename', title: 'Diploma', answer: done({ ...REJECTED, title: 'Diploma' }) },
    { kind: 'upload', sha256: 'bb', answer: done({ sha256: 'bb' }) },
    seeFiles('bb', FILE),
    {
      kind: 'send',
      answer: done({
        ...REJECTED,
        title: 'Diploma',
        fileCount: 2,
        isLocked: true,
        waiting: { number: 2, digest: null, document: 'preparing' },
      }),
    },
    approve(refused('collection_changed'), DIGEST),
    {
      kind: 'see rounds',
      isOwner: true,
      answer: done([
        { outcome: 'rejected', text: 'No' },
        { outcome: 'waiting', text: null },
      ]),
    },
  ],
  'two reviewers at once, of whom one wins': [
    ...SENT,
    [approve(done(undefined)), reject(refused('collection_not_reviewable'))],
    see(PUBLISHED),
  ],
  'revoked, reinstated and revoked again': [
    ...APPROVED,
    revoke(done(1), 0),
    see({ ...PUBLISHED, isRevoked: true }),
    verify(done(REVOKED)),
    revoke(refused('proof_already_revoked')),
    reinstate(done(2)),
    verify(done(VALID)),
    revoke(refused('proof_changed'), 1),
    revoke(done(3), 2),
    {
      kind: 'see changes',
      proofId: PID,
      answer: done([
        { kind: 'revoke', reason: 'superseded' },
        { kind: 'reinstate', reason: null },
        { kind: 'revoke', reason: 'superseded' },
      ]),
    },
  ],
  'withdrawn while it cannot be sealed': [
    ...SENT,
    approve(done(undefined)),
    see(SEALING),
    withdraw(done(REJECTED)),
    see(REJECTED),
  ],
  'withdrawn, which staff read and its owner reads as a rejection': [
    ...SENT,
    approve(done(undefined)),
    withdraw(done(REJECTED)),
    { kind: 'see rounds', isOwner: false, answer: done([{ outcome: 'withdrawn', text: 'No' }]) },
    { kind: 'see rounds', isOwner: true, answer: done([{ outcome: 'rejected', text: 'No' }]) },
  ],
  'approved, withdrawn at once, and refused so': [...SENT, [refuse(DIGEST), withdraw(done(REJECTED))], see(REJECTED)],
  'refused to the second of two reviewers': [
    ...SENT,
    [refuse(), { ...approve(done(undefined)), text: 'Quicker' } as CollectionCall],
    see({ ...PUBLISHED, description: 'Quicker' }),
  ],
  'approved without an answer, and that seen': [...SENT, approve(unknown), see(READY), see(PUBLISHED)],
  'approved without an answer, and then rejected': [...SENT, approve(unknown), reject(done(REJECTED)), see(REJECTED)],
  'refused while something is away': [
    ...SENT,
    approve(refused('storage_unavailable')),
    revoke(refused('not_signed_in')),
    see(READY),
  ],
  'published, as its rounds tell first': [
    ...SENT,
    approve(done(undefined)),
    { kind: 'see rounds', isOwner: true, answer: done([{ outcome: 'approved', text: TEXT }]) },
    see(PUBLISHED),
  ],
}
for (const [name, script] of Object.entries(GOOD))
  test(`21.12 a collection may be ${name}`, () => assert.equal(judge(script), 'linearizable'))

const PLANTED: Record<string, Script> = {
  'a claim that two have won': [
    ...SENT,
    [approve(done(undefined)), { ...approve(done(undefined)), text: 'Also fine' } as CollectionCall],
  ],
  'an approval and a rejection of one submission': [...SENT, [approve(done(undefined)), reject(done(REJECTED))]],
  'an approval after a rejection that was acknowledged': [...SENT, reject(done(REJECTED)), approve(done(undefined))],
  'an approval of another submission than was looked at': [...SENT, see(READY), approve(done(undefined), 'd0')],
  'a rejection that is lost': [...SENT, reject(done(REJECTED)), see(READY)],
  'an upload that is lost': [create, upload, seeFiles()],
  'an upload that nobody sent': [create, upload, seeFiles(FILE, 'bb')],
  'an upload that stands there twice': [create, upload, seeFiles(FILE, FILE)],
  'an upload to what was sent': [...SENT, { kind: 'upload', sha256: 'bb', answer: done({ sha256: 'bb' }) }],
  'a title that is lost': [
    create,
    upload,
    { kind: 'rename', title: 'Diploma', answer: done({ ...OPEN, title: 'Diploma' }) },
    see(OPEN),
  ],
  'sending twice': [...SENT, send],
  'a stale read of an open collection': [...SENT, see(OPEN)],
  'a digest that goes back to none': [...SENT, see(READY), see(PREPARING)],
  'a digest that changes': [
    ...SENT,
    see(READY),
    see({ ...READY, waiting: { number: 1, digest: 'd2', document: 'ready' } }),
  ],
  'a document that fails for a good file': [
    ...SENT,
    see({ ...READY, waiting: { number: 1, digest: DIGEST, document: 'failed' } }),
  ],
  'an approval that is lost': [...APPROVED, see(READY)],
  'an approval without an answer that is seen and then gone': [...SENT, approve(unknown), see(PUBLISHED), see(READY)],
  'another Proof ID': [...APPROVED, see({ ...PUBLISHED, proofId: 'other' })],
  'a proof of an approval that nobody gave': [...SENT, verify(done(VALID))],
  'a decision in the words of another': [...SENT, approve(done(undefined)), see({ ...PUBLISHED, description: 'Hm' })],
  'a proof that is published and unknown': [...APPROVED, verify(refused('proof_not_found'))],
  'a verdict valid after a revocation that was acknowledged': [...APPROVED, revoke(done(1)), verify(done(VALID))],
  'a verdict revoked after a reinstatement that was acknowledged': [
    ...APPROVED,
    revoke(done(1)),
    reinstate(done(2)),
    verify(done(REVOKED)),
  ],
  'a verdict revoked for another reason': [
    ...APPROVED,
    revoke(done(1)),
    verify(done({ ...REVOKED, reason: 'content_false' })),
  ],
  'a verdict expired that never was to expire': [...APPROVED, verify(done({ ...VALID, verdict: 'expired' }))],
  'a proof of other files': [...APPROVED, verify(done({ ...VALID, files: ['bb'] }))],
  'two revocations that both came first': [...APPROVED, [revoke(done(1), 0), revoke(done(1), 0)]],
  'a revocation that its history does not have': [
    ...APPROVED,
    revoke(done(1)),
    { kind: 'see changes', proofId: PID, answer: done([]) },
  ],
  'a certified PDF that is another one later': [...APPROVED, fetched('ff'), fetched('f0')],
  'a certified PDF of what is revoked': [...APPROVED, revoke(done(1)), fetched('ff')],
  'a withdrawal of what is published': [...APPROVED, withdraw(done(REJECTED))],
  'an approval that is withdrawn and published': [
    ...SENT,
    approve(done(undefined)),
    withdraw(done(REJECTED)),
    verify(done(VALID)),
  ],
  'a withdrawal that its owner is told of': [
    ...SENT,
    approve(done(undefined)),
    withdraw(done(REJECTED)),
    { kind: 'see rounds', isOwner: true, answer: done([{ outcome: 'withdrawn', text: 'No' }]) },
  ],
  'a withdrawal that staff are told of as a rejection': [
    ...SENT,
    approve(done(undefined)),
    withdraw(done(REJECTED)),
    { kind: 'see rounds', isOwner: false, answer: done([{ outcome: 'rejected', text: 'No' }]) },
  ],
  'a refusal for no reason': [...SENT, refuse()],
  'a refusal of an approval that is published': [...SENT, refuse(), see(PUBLISHED)],
  'a refusal for a withdrawal that came later': [...SENT, refuse(), withdraw(done(REJECTED))],
  'a refusal to send what is open': [create, upload, { kind: 'send', answer: refused('collection_already_sent') }],
  'a refusal to revoke what is in force': [...APPROVED, revoke(refused('proof_already_revoked'))],
  'a file that is told as missing': [...SENT, approve(refused('file_missing'))],
  'a collection that is not found': [...SENT, { kind: 'see', answer: refused('collection_not_found') }],
  'an error of the program': [...SENT, approve(refused('internal'))],
}
for (const [name, script] of Object.entries(PLANTED))
  test(`21.12 found is ${name}`, () => assert.equal(judge(script), 'not linearizable'))
