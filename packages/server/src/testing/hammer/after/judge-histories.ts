import { findOrder, type Verdict } from '../checker/find-order.ts'
import type { Model, Operation } from '../checker/history.ts'
import { collectionModel } from '../models/collection-model.ts'
import { commentsModel } from '../models/comments-model.ts'
import { splitRefusals } from '../models/split-refusals.ts'
import type { Recorder } from '../traffic/recorder.ts'

/** A history that no order explains, or for which none was found in time. */
export interface Anomaly {
  object: string
  kind: 'not linearizable' | 'undecided'
  /** The history around what fits nowhere, one operation a line. */
  told: string[]
}

export interface JudgedHistories {
  objects: number
  operations: number
  unanswered: number
  anomalies: Anomaly[]
}

/** Every history by the model of its object. */
export function judgeHistories({ collections, comments }: Pick<Recorder, 'collections' | 'comments'>): JudgedHistories {
  const judged: JudgedHistories = { objects: 0, operations: 0, unanswered: 0, anomalies: [] }
  for (const [id, history] of collections) judgeOne(judged, collectionModel, `collection ${id}`, splitRefusals(history))
  for (const [id, history] of comments) judgeOne(judged, commentsModel, `comments on ${id}`, history)
  return judged
}

function judgeOne<Call, State>(
  judged: JudgedHistories,
  model: Model<Call, State>,
  object: string,
  history: Operation<Call>[],
): void {
  judged.objects += 1
  judged.operations += history.length
  judged.unanswered += history.filter(({ ended }) => ended === undefined).length
  const verdict = findVerdict(model, history)
  if (verdict.kind === 'linearizable') return
  if (verdict.kind === 'undecided') {
    judged.anomalies.push({ object, kind: verdict.kind, told: history.map(tell) })
    return
  }
  const { furthest, stuck } = verdict
  const told = [
    ...furthest.slice(-12).map((operation) => `explained  ${tell(operation)}`),
    `stuck      ${tell(stuck)}`,
    ...history
      .filter((operation) => operation !== stuck && !furthest.includes(operation) && operation.began <= stuck.ended!)
      .map((operation) => `beside it  ${tell(operation)}`),
  ]
  judged.anomalies.push({ object, kind: verdict.kind, told })
}

/**
 * Each operation that may have taken effect or not doubles what there is to try. Most never did: an order without those that
 * no answer shows is an order. Only where there is none they are tried, too.
 */
function findVerdict<Call, State>(model: Model<Call, State>, history: Operation<Call>[]): Verdict<Call> {
  const isAnswered = ({ ended }: Operation<Call>) => ended !== undefined
  const shown = JSON.stringify(history.filter(isAnswered).map(({ call }) => call))
  const isSeen = ({ call }: Operation<Call>) => {
    const mark = findMark(call)
    return mark === undefined || shown.includes(JSON.stringify(mark))
  }
  const seen = history.filter((operation) => isAnswered(operation) || isSeen(operation))
  const first = findOrder(model, seen)
  return first.kind === 'linearizable' || seen.length === history.length ? first : findOrder(model, history)
}

/** What a change leaves that no other does, by which answers show it; undefined where it leaves nothing of its own. */
function findMark(call: unknown): string | undefined {
  const { sha256, text, title } = call as { sha256?: string; text?: string; title?: string }
  return sha256 ?? text ?? title
}

const tell = <Call>({ call, began, ended }: Operation<Call>): string =>
  `${Math.round(began)}–${ended === undefined ? '?' : Math.round(ended)} ms ${JSON.stringify(call)}`
