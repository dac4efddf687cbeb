import type { Operation } from '../checker/history.ts'
import type { CollectionCall } from '../models/collection-calls.ts'
import type { CommentsCall } from '../models/comments-model.ts'

/** One call as the figures count it. */
export interface Counted {
  kind: string
  /** Name of the node. */
  node: string
  began: number
  ended: number
  reply: string
  isDone: boolean
  isWrite: boolean
}

/** What no order of operations could explain. */
export interface WrongAnswer {
  what: string
  facts: string
}

/** All that happened, by the clock of this process. */
export interface Recorder {
  collections: Map<number, Operation<CollectionCall>[]>
  comments: Map<number, Operation<CommentsCall>[]>
  counted: Counted[]
  wrong: WrongAnswer[]
  addToCollection(id: number, call: CollectionCall, began: number, ended: number): void
  addToComments(id: number, call: CommentsCall, began: number, ended: number): void
}

export function makeRecorder(): Recorder {
  const collections: Recorder['collections'] = new Map()
  const comments: Recorder['comments'] = new Map()
  return {
    collections,
    comments,
    counted: [],
    wrong: [],
    addToCollection: (id, call, began, ended) => add(collections, id, call, began, ended),
    addToComments: (id, call, began, ended) => add(comments, id, call, began, ended),
  }
}

/** An operation whose answer nobody knows has no end. */
function add<Call extends { answer: { told: string } }>(
  histories: Map<number, Operation<Call>[]>,
  id: number,
  call: Call,
  began: number,
  ended: number,
): void {
  const history = histories.get(id) ?? []
  histories.set(id, history)
  history.push({ call, began, ended: call.answer.told === 'unknown' ? undefined : ended })
}
