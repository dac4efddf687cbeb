import { CommentText } from '@proofdesk/contract/comments'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { WritingForm } from '../../ui/writing-form.tsx'
import { draftOfComment, useCreateComment } from './api.ts'

export function CommentForm({ collectionId }: { collectionId: number }) {
  return (
    <WritingForm
      label={m.comment_label()}
      draft={draftOfComment(collectionId)}
      schema={CommentText}
      sending={useCreateComment(collectionId)}
      done={m.comment_created()}
      explain={(error) => wordsOf(error, m.comment_post_failed(), m.comment_create_failed())}
    />
  )
}
