import { ContentTitleFields, type Content } from '@proofdesk/contract/contents'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/api-error.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
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
  return (
    <Dialog
      open={content !== undefined}
      onClose={onClose}
      title={m.content_rename_title()}
      description={content && <UserText>{content.file_name}</UserText>}
    >
      {content && <RenameForm content={content} onClose={onClose} />}
    </Dialog>
  )
}

function RenameForm({ content, onClose }: { content: Content; onClose: () => void }) {
  const [choice, setChoice] = useState<TitleChoice>({
    titleType: content.title_type,
    title: content.title_type === 'OTHER' ? content.title : '',
  })
  const [problem, setProblem] = useState<string>()
  const rename = useRenameContent()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (rename.isPending) return
    const checked = ContentTitleFields.safeParse({ title_type: choice.titleType, title: choice.title })
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) return
    rename.mutate({ id: content.id, ...choice }, { onSuccess: () => (onClose(), showToast(m.content_renamed())) })
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={rename.isPending} className="mt-4">
      <div className="grid gap-4">
        {rename.error && <ErrorBanner>{wordsOf(rename.error, m.content_rename_failed())}</ErrorBanner>}
        <TitleFields choice={choice} error={problem} onChange={setChoice} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" kind="brand" busy={rename.isPending}>
          {m.collection_save_title()}
        </Button>
      </DialogActions>
    </form>
  )
}
