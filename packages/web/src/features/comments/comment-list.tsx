import type { Comment } from '@proofdesk/contract/comments'
import { ShieldCheck, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { attempt, type Outcome } from '../../lib/attempt.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { useHasLeft } from '../../lib/use-has-left.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { formatTime, TimeAgo } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { useOutcomeOnceLeft } from '../../ui/use-outcome-once-left.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useDeleteComment } from './api.ts'

export interface CommentListProps {
  collectionId: number
  /** Oldest first. */
  comments: Comment[]
  onProblem: (problem: string | undefined) => void
}

/** Scrolls to the newest comment when it opens and when one is added. */
export function CommentList({ collectionId, comments, onProblem }: CommentListProps) {
  const area = useRef<HTMLElement>(null)
  const keepFocus = useKeptFocus(area, comments, 'li')
  const tellOnceLeft = useOutcomeOnceLeft()
  const hasLeft = useHasLeft()
  const newest = comments.at(-1)?.id

  useEffect(() => {
    if (newest !== undefined && area.current) area.current.scrollTop = area.current.scrollHeight
  }, [newest])

  /** Told by the list: by then the item has gone with its comment. */
  function tellDeletion({ created_at: at }: Comment, outcome: Outcome<unknown>) {
    const time = formatTime(at)
    const words = { done: m.comment_deleted_of({ time }), failed: m.comment_delete_failed_of({ time }) }
    tellOnceLeft(outcome.isDone ? null : outcome.error, words)
    if (hasLeft()) return
    if (outcome.isDone) showToast(m.comment_deleted())
    else onProblem(wordsOf(outcome.error, m.comment_delete_failed()))
  }

  return (
    // It only listens for where the focus is. New comments are read out, but not each minute how long ago one was written.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={area}
      onFocus={keepFocus}
      role="log"
      aria-relevant="additions"
      aria-label={m.comment_list()}
      // Focusable, so that it can be scrolled from the keyboard, and for whoever deletes the last.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="grow overflow-y-auto"
    >
      {comments.length === 0 && (
        <p className="grid h-full place-content-center p-6 text-center text-ink-2">{m.comments_empty()}</p>
      )}
      <ol className="grid gap-1 p-2 empty:hidden">
        {comments.map((comment) => (
          <CommentItem
            key={comment.id}
            collectionId={collectionId}
            comment={comment}
            onAsk={() => onProblem(undefined)}
            onDeletion={(outcome) => tellDeletion(comment, outcome)}
          />
        ))}
      </ol>
    </section>
  )
}

interface CommentItemProps {
  collectionId: number
  comment: Comment
  /** A deletion begins: whoever is asked about it no longer needs to read of the one before. */
  onAsk: () => void
  onDeletion: (outcome: Outcome<unknown>) => void
}

function CommentItem({ collectionId, comment, onAsk, onDeletion }: CommentItemProps) {
  const { username, is_staff: isStaff, text, created_at: createdAt, may } = comment
  const remove = useDeleteComment(collectionId)

  async function deleteAfterAsking() {
    onAsk()
    const question = { title: m.are_you_sure(), text: m.comment_delete_text(), action: m.comment_delete() }
    if (!(await askConfirm({ ...question, danger: true }))) return
    // Awaited: the item is gone by the time a deletion is known to be done.
    onDeletion(await attempt(remove.mutateAsync(comment.id)))
  }

  return (
    <li
      className={`rounded-control px-3 py-2.5 border ${may.delete ? 'border-transparent bg-brand-wash' : 'border-line bg-paper'}`}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">
          <UserText>{username}</UserText>
        </span>
        {isStaff && (
          <Badge icon={ShieldCheck} tone="warn">
            {m.comment_staff()}
          </Badge>
        )}
        <span className="text-sm text-ink-2">
          <TimeAgo at={createdAt} />
        </span>
        {may.delete && (
          <IconButton
            icon={Trash2}
            framed={false}
            label={m.comment_delete_named({ time: formatTime(createdAt) })}
            busy={remove.isPending}
            onClick={() => void deleteAfterAsking()}
            className="-my-1 -me-1.5 ms-auto size-8! text-ink-2 hover:text-seal"
          />
        )}
      </div>
      <p className="mt-1">
        <UserText className="wrap-anywhere whitespace-pre-wrap">{text}</UserText>
      </p>
    </li>
  )
}
