import { CollectionTitle, type Collection } from '@proofdesk/contract/collections'
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
import { TextField } from '../../ui/text-field.tsx'
import { useRenameCollection } from './api.ts'

export interface EditTitleDialogProps {
  /** Absent while no title is being edited. */
  collection: Collection | undefined
  onClose: () => void
  onUpdated: () => void
}

export function EditTitleDialog({ collection, onClose, onUpdated }: EditTitleDialogProps) {
  const rename = useRenameCollection()
  const leave = () => leaveWhenAnswered(rename, onClose)

  function send(id: number, title: string) {
    rename.mutate({ id, title }, { onSuccess: () => (onClose(), onUpdated()) })
  }

  return (
    <Dialog open={collection !== undefined} onClose={leave} title={m.collection_edit_title()}>
      {collection && (
        <EditTitleForm
          title={collection.title}
          busy={rename.isPending}
          error={rename.error}
          onLeave={leave}
          onTitle={(title) => send(collection.id, title)}
        />
      )}
    </Dialog>
  )
}

interface EditTitleFormProps {
  /** The one it has now. */
  title: string
  busy: boolean
  error: Error | null
  onLeave: () => void
  onTitle: (title: string) => void
}

function EditTitleForm({ title: current, busy, error, onLeave, onTitle }: EditTitleFormProps) {
  const [title, setTitle] = useState(current)
  const [problem, setProblem] = useState<string>()
  useUnsaved(title !== current)

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const checked = CollectionTitle.safeParse(title)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (checked.success) onTitle(checked.data)
    else focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {error && <ErrorBanner>{wordsOf(error, m.collection_update_failed())}</ErrorBanner>}
        <TextField
          label={m.collection_title_label()}
          required
          autoComplete="off"
          value={title}
          error={problem}
          onChange={(event) => {
            setTitle(event.target.value)
            setProblem(undefined)
          }}
        />
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
