import { canCreateCollection } from '@proofdesk/contract/permissions'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Lines } from '../../ui/lines.tsx'
import { showsWaiting, type ListState } from './list-state.ts'

export interface ListEmptyProps {
  state: ListState
  onChange: (changes: Partial<ListState>) => void
}

export function ListEmpty({ state, onChange }: ListEmptyProps) {
  const viewer = useUser()
  if (state.search || state.status) {
    return (
      <EmptyState
        title={m.collections_empty()}
        text={
          showsWaiting(state, viewer) ? (
            <Lines text={`${m.queue_empty_title()}\n${m.queue_empty_text()}`} />
          ) : (
            m.collections_empty_filtered()
          )
        }
        action={<Button onClick={() => onChange({ search: '', status: undefined })}>{m.collections_show_all()}</Button>}
      />
    )
  }
  const text = canCreateCollection(viewer) ? m.collections_empty_first() : m.collections_empty_reviewer()
  return <EmptyState title={m.collections_empty()} text={text} />
}
