import { CollectionTitle, type Collection } from '@proofdesk/contract/collections'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/api-error.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useRenameCollection } from './api.ts'

export interface EditTitleDialogProps {
  /** Absent while no title is being edited. */
  collection: Collection | undefined
  onClose: () => void
  onUpdated: () => void
}

export function EditTitleDialog({ collection, onClose, onUpdated }: EditTitleDialogProps) {
  return (
    <Dialog open={collection !== undefined} onClose={onClose} title={m.collection_edit_title()}>
      {collection && <EditTitleForm collection={collection} onClose={onClose} onUpdated={onUpdated} />}
    </Dialog>
  )
}

function EditTitleForm({ collection, onClose, onUpdated }: EditTitleDialogProps & { collection: Collection }) {
  const [title, setTitle] = useState(collection.title)
  const [problem, setProblem] = useState<string>()
  const rename = useRenameCollection()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (rename.isPending) return
    const checked = CollectionTitle.safeParse(title)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) return
    rename.mutate({ id: collection.id, title: checked.data }, { onSuccess: () => (onClose(), onUpdated()) })
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={rename.isPending} className="mt-4">
      <div className="grid gap-4">
        {rename.error && <ErrorBanner>{wordsOf(rename.error, m.collection_update_failed())}</ErrorBanner>}
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
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" kind="brand" busy={rename.isPending}>
          {m.collection_save_title()}
        </Button>
      </DialogActions>
    </form>
  )
}
