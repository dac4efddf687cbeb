import { CommentText } from '@proofdesk/contract/comments'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/api-error.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.ts'
import { draftOfComment, useCreateComment } from './api.ts'

/** What was typed stays until it is posted, whatever becomes of the screen. */
export function CommentForm({ collectionId }: { collectionId: number }) {
  const [text, setText] = useDraft(draftOfComment(collectionId))
  const [problem, setProblem] = useState<string>()
  const create = useCreateComment(collectionId)

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (create.isPending) return
    const checked = CommentText.safeParse(text)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) return
    create.mutate(checked.data, {
      onSuccess: () => {
        setText('')
        showToast(m.comment_created())
      },
      onError: (error) => setProblem(wordsOf(error, m.comment_post_failed(), m.comment_create_failed())),
    })
  }

  return (
    <form
      noValidate
      onSubmit={handleSubmit}
      aria-busy={create.isPending}
      className="flex items-start gap-2 border-t border-line p-3"
    >
      <div className="min-w-0 grow">
        <TextArea
          label={m.comment_label()}
          labelHidden
          placeholder={m.comment_placeholder()}
          rows={2}
          value={text}
          error={problem}
          readOnly={create.isPending}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(undefined)
          }}
          className="max-h-40"
        />
      </div>
      <Button type="submit" kind="brand" busy={create.isPending} className="min-h-10">
        {create.isPending ? m.comment_posting() : m.comment_send()}
      </Button>
    </form>
  )
}
