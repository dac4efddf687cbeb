import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOrder } from '../checker/find-order.ts'
import { commentsModel, type CommentsCall } from './comments-model.ts'

const add = (text: string): CommentsCall => ({ kind: 'comment', text, answer: { told: 'done', shown: text } })
const see = (...shown: string[]): CommentsCall => ({ kind: 'see comments', answer: { told: 'done', shown } })

function judge(...calls: CommentsCall[]) {
  const operations = calls.map((call, index) => ({
    call,
    began: index * 10,
    ended: call.answer.told === 'unknown' ? undefined : index * 10 + 5,
  }))
  return findOrder(commentsModel, operations).kind
}

test('21.12 comments that are acknowledged stay, and one whose answer is lost may be there or not', () => {
  const lost: CommentsCall = { kind: 'comment', text: 'b', answer: { told: 'unknown' } }
  assert.equal(judge(add('a'), see('a'), lost, see('a'), see('b', 'a')), 'linearizable')
  assert.equal(judge(add('a'), lost, see('a')), 'linearizable')
  assert.equal(judge(lost, see('b'), see()), 'not linearizable')
})

test('21.12 found is a comment that is lost, there twice, nobody’s or another', () => {
  assert.equal(judge(add('a'), see()), 'not linearizable')
  assert.equal(judge(add('a'), see('a', 'a')), 'not linearizable')
  assert.equal(judge(see('a')), 'not linearizable')
  assert.equal(judge({ kind: 'comment', text: 'a', answer: { told: 'done', shown: 'b' } }), 'not linearizable')
  assert.equal(judge({ kind: 'comment', text: 'a', answer: { told: 'refused', code: 'internal' } }), 'not linearizable')
})
