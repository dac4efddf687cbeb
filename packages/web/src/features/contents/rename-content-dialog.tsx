import { ContentTitleFields, type Content } from '@proofdesk/contract/contents'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { showToast } from '../../ui/toast.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useRenameContent } from './api.ts'
import { TitleFields } from './title-fields.tsx'
import type { TitleChoice } from './upload-item.ts'

export interface RenameContentDialogProps {
  /** Absent while none is renamed. */
  content: Content | undefined
  onClose: () => void
}

export function RenameContentDialog({ content, onClose }: RenameContentDialogProps) {
  const rename = useRenameContent()
  const leave = () => leaveWhenAnswered(rename, onClose)

  function send({ id, file_name }: Content, choice: TitleChoice) {
    rename.mutate({ id, file_name, ...choice }, { onSuccess: () => (onClose(), showToast(m.content_renamed())) })
  }

  return (
    <Dialog
      open={content !== undefined}
      onClose={leave}
      title={m.content_rename_title()}
      description={content && <UserText>{content.file_name}</UserText>}
    >
      {content && (
        <RenameForm
          content={content}
          busy={rename.isPending}
          error={rename.error}
          onLeave={leave}
          onChoice={(choice) => send(content, choice)}
        />
      )}
    </Dialog>
  )
}

interface RenameFormProps {
  content: Content
  busy: boolean
  error: Error | null
  onLeave: () => void
  onChoice: (choice: TitleChoice) => void
}

function RenameForm({ content, busy, error, onLeave, onChoice }: RenameFormProps) {
  const [current] = useState<TitleChoice>({
    titleType: content.title_type,
    title: content.title_type === 'OTHER' ? content.title : '',
  })
  const [choice, setChoice] = useState(current)
  const [problem, setProblem] = useState<string>()
  useUnsaved(choice.titleType !== current.titleType || choice.title !== current.title)

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const checked = ContentTitleFields.safeParse({ title_type: choice.titleType, title: choice.title })
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (checked.success) onChoice(choice)
    else focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {error && <ErrorBanner>{wordsOf(error, m.content_rename_failed())}</ErrorBanner>}
        <TitleFields choice={choice} error={problem} onChange={setChoice} />
      </div>
      <DialogActions>
        <Button disabled={busy} onClick={onLeave}>
          {m.cancel()}
        </Button>
        <Button type="submit" kind="brand" busy={busy}>
          {m.collection_save_title()}
        </Button>
      </DialogActions>
    </form>
  )
}
