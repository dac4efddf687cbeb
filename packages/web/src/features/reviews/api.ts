import type { Collection } from '@proofdesk/contract/collections'
import {
  approveCollection,
  deleteReason,
  listOwnDecisions,
  listReasons,
  rejectCollection,
  saveReason,
  showReviewQueue,
  withdrawApproval,
  type Decision,
  type ReviewQueue,
} from '@proofdesk/contract/reviews'
import { keepPreviousData, queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isRefusal } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { forgetDraft } from '../../lib/drafts.ts'
import { wordsOnTheirOwn } from '../../lib/error-words.ts'
import { isolate } from '../../lib/isolate.ts'
import { keepAnswer } from '../../lib/keep-answer.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { m } from '../../paraglide/messages.js'
import { useToastOnceLeft } from '../../ui/use-toast-once-left.ts'

const QUEUE_KEY = [...QUERY_KEYS.collections, 'queue']

/** A description that was typed and not sent: a dialog that is closed, or refused, loses nothing. */
export const draftOfDecision = (decision: Decision | 'withdraw', id: number) => `${decision}:${id}`

/** The expiry that was entered beside it. */
export const draftOfExpiry = (id: number) => `approve-expiry:${id}`

export interface Approval {
  admin_desc: string
  /** ISO 8601 in UTC; null for never. */
  expire_time: string | null
}

/**
 * What waits for the viewer, and what stands beside a collection; without one, what comes first. Kept with the collections,
 * so that it follows whenever one of them changes.
 */
export function useReviewQueue(collectionId: number | undefined) {
  return useQuery(askQueue(collectionId))
}

/** Whoever goes on quickly finds the way on from there already known. */
export function useQueueAhead(queue: ReviewQueue | undefined): void {
  const queryClient = useQueryClient()
  const [previous, next] = [queue?.previous?.id, queue?.next?.id]
  useEffect(() => {
    for (const id of [previous, next]) if (id !== undefined) void queryClient.prefetchQuery(askQueue(id))
  }, [queryClient, previous, next])
}

function askQueue(collectionId: number | undefined) {
  return queryOptions({
    queryKey: [...QUEUE_KEY, collectionId ?? null],
    queryFn: ({ signal }) =>
      call(showReviewQueue, { query: collectionId === undefined ? {} : { collection: collectionId } }, { signal }),
    // What was learned ahead is shown at once and looked up again.
    staleTime: 0,
  })
}

/** A page of what the viewer has decided, the newest first. Kept with the collections, as the queue is. */
export function useOwnDecisions(page: number) {
  return useQuery({
    queryKey: [...QUERY_KEYS.collections, 'decided', page],
    queryFn: ({ signal }) => call(listOwnDecisions, { query: { page: String(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

type Decided = Pick<Collection, 'id' | 'title'>

/**
 * Answers with the Proof ID, or with `sealing` when that takes longer than ten seconds.
 * @param lookedAt Digest of the submission that is decided on.
 */
export function useApprove({ id, title: typed }: Decided, lookedAt: string | undefined) {
  const title = isolate(typed)
  const onSettled = useReloadAfterDecision(id)
  const tellOnceLeft = useToastOnceLeft()
  return useSingleMutation({
    mutationFn: (approval: Approval) =>
      call(approveCollection, { params: { id }, body: { ...approval, digest: lookedAt } }),
    onSuccess: ({ proofid }) => {
      forgetSent('approve', id)
      tellOnceLeft(proofid === null ? m.review_sealing_of({ title }) : m.review_approved_of({ title }))
    },
    onError: (error) => tellOnceLeft(wordsOfLeft(error, m.review_approve_failed_of({ title }), title), 'error'),
    onSettled,
  })
}

export function useReject({ id, title: typed }: Decided, lookedAt: string | undefined) {
  const title = isolate(typed)
  const onSettled = useReloadAfterDecision(id)
  const tellOnceLeft = useToastOnceLeft()
  return useSingleMutation({
    mutationFn: (admin_desc: string) =>
      call(rejectCollection, { params: { id }, body: { admin_desc, digest: lookedAt } }),
    onSuccess: () => {
      forgetSent('reject', id)
      tellOnceLeft(m.review_rejected_of({ title }))
    },
    onError: (error) => tellOnceLeft(wordsOfLeft(error, m.review_reject_failed_of({ title }), title), 'error'),
    onSettled,
  })
}

export function useWithdrawApproval({ id, title: typed }: Decided) {
  const title = isolate(typed)
  const onSettled = useReloadAfterDecision(id)
  const tellOnceLeft = useToastOnceLeft()
  return useSingleMutation({
    mutationFn: (description: string) => call(withdrawApproval, { params: { id }, body: { admin_desc: description } }),
    onSuccess: () => {
      forgetSent('withdraw', id)
      tellOnceLeft(m.withdraw_done_of({ title }))
    },
    onError: (error) => tellOnceLeft(wordsOfLeft(error, m.withdraw_failed_of({ title }), title), 'error'),
    onSettled,
  })
}

/** What was typed for a decision that is taken. */
export function forgetSent(decision: Decision | 'withdraw', id: number): void {
  forgetDraft(draftOfDecision(decision, id))
  if (decision === 'approve') forgetDraft(draftOfExpiry(id))
}

/** Where the screen is left that would show whether the decision was taken all the same. */
function wordsOfLeft(error: Error, failure: string, title: string): string {
  return isRefusal(error) ? wordsOnTheirOwn(error, failure) : m.review_unanswered_of({ title })
}

/** After a refusal too: somebody else may have decided meanwhile. */
function useReloadAfterDecision(id: number) {
  const queryClient = useQueryClient()
  return async (answer: Collection | undefined) => {
    // An answer that was on its way since before the decision would count as new.
    await queryClient.cancelQueries({ queryKey: QUEUE_KEY })
    if (answer) takeFromQueues(queryClient, id)
    if (answer) void keepAnswer(queryClient, [...QUERY_KEYS.collections, 'one', id], answer)
    else void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.collections })
    for (const queryKey of [QUERY_KEYS.contents, QUERY_KEYS.serverContents])
      void queryClient.invalidateQueries({ queryKey })
  }
}

/** What was decided on waits no longer: that is known before the server is asked again. */
function takeFromQueues(queryClient: QueryClient, id: number): void {
  const decided = queryClient.getQueryData<ReviewQueue>([...QUEUE_KEY, id])
  for (const [queryKey, queue] of queryClient.getQueriesData<ReviewQueue>({ queryKey: QUEUE_KEY })) {
    if (!queue) continue
    const ownId = queryKey.at(-1)
    /** Whoever stood beside it stands beside its neighbour now; nobody is their own neighbour. */
    const pass = (side: 'previous' | 'next') => {
      const neighbour = queue[side]?.id === id ? (decided?.[side] ?? null) : queue[side]
      return neighbour?.id === ownId ? null : neighbour
    }
    const isAfter = queue.place !== null && typeof decided?.place === 'number' && queue.place > decided.place
    queryClient.setQueryData<ReviewQueue>(queryKey, {
      waiting: Math.max(0, queue.waiting - 1),
      place: ownId === id || queue.place === null ? null : queue.place - (isAfter ? 1 : 0),
      previous: pass('previous'),
      next: pass('next'),
    })
  }
}

/** The descriptions the viewer has saved, for both decisions. */
export function useReasons() {
  return useQuery({
    queryKey: QUERY_KEYS.reasons,
    queryFn: async ({ signal }) => (await call(listReasons, {}, { signal })).results,
  })
}

export function useSaveReason() {
  const onSettled = useSettleReasons()
  return useSingleMutation({
    mutationFn: (body: { decision: Decision; text: string }) => call(saveReason, { body }),
    onSettled,
  })
}

export function useDeleteReason() {
  const onSettled = useSettleReasons()
  return useSingleMutation({ mutationFn: (id: number) => call(deleteReason, { params: { id } }), onSettled })
}

/** A dialog shows a failure itself, as long as it is open. */
function useSettleReasons(): (answer: unknown, error: Error | null) => Promise<void> {
  const queryClient = useQueryClient()
  const tellOnceLeft = useToastOnceLeft()
  return async (_answer, error) => {
    await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.reasons })
    if (error) tellOnceLeft(wordsOnTheirOwn(error, m.reasons_failed()), 'error')
  }
}
