import type { Operation } from '../checker/history.ts'
import type { CollectionCall } from './collection-calls.ts'

/**
 * An approval is refused as `collection_not_reviewable` also when it was decided and then withdrawn while its caller waited.
 * Where a withdrawal may have come between, such a refusal is two moments: one in which it may be decided, and one by which
 * it must have been withdrawn. Everywhere else it is one, since each more doubles what there is to try.
 */
export function splitRefusals(history: readonly Operation<CollectionCall>[]): Operation<CollectionCall>[] {
  const withdrawals = history.filter(({ call }) => call.kind === 'withdraw' && call.answer.told !== 'refused')
  return history.flatMap((operation) => {
    const { call, began, ended } = operation
    if (call.kind !== 'approve' || call.answer.told !== 'refused') return operation
    if (call.answer.code !== 'collection_not_reviewable') return operation
    const isBetween = withdrawals.some((other) => other.began <= (ended ?? began) && (other.ended ?? Infinity) >= began)
    if (!isBetween) return operation
    const { text, answer } = call
    return [
      { began, ended, call: { ...call, kind: 'approve in vain' } },
      { began, ended, call: { kind: 'be refused', text, answer } },
    ]
  })
}
