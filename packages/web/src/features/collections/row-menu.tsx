import type { Collection } from '@proofdesk/contract/collections'
import { ArrowUpRight, Pencil, Send, Trash2 } from 'lucide-react'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { OptionsMenu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/working-menu.tsx'

export interface RowActions {
  onEdit: (collection: Collection) => void
  onDelete: (collection: Collection) => void
  onSend: (collection: Collection) => void
}

/** What this person may do with one collection. */
export function RowMenu({ collection, onEdit, onDelete, onSend }: RowActions & { collection: Collection }) {
  const isEmpty = collection.content_count === 0
  const entries: (MenuEntry & { offered?: boolean })[] = [
    { label: m.collection_open(), icon: ArrowUpRight, to: contentPath(collection.id) },
    {
      label: isEmpty ? m.collection_send_empty() : m.collection_send(),
      icon: Send,
      disabled: isEmpty,
      offered: collection.may.send,
      onSelect: () => onSend(collection),
    },
    {
      label: m.collection_edit(),
      icon: Pencil,
      offered: collection.may.edit,
      onSelect: () => onEdit(collection),
    },
    {
      label: m.collection_delete(),
      icon: Trash2,
      danger: true,
      offered: collection.may.delete,
      onSelect: () => onDelete(collection),
    },
  ]
  return (
    <OptionsMenu
      label={m.collection_options({ title: collection.title })}
      entries={entries.filter(({ offered = true }) => offered)}
    />
  )
}
