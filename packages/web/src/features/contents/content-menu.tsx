import type { Content } from '@proofdesk/contract/contents'
import { ArrowDown, ArrowUp, FileUp, Pencil } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { OptionsMenu } from '../../ui/menu.tsx'

export interface ContentMenuProps {
  content: Content
  /** All of the collection, as they are shown. */
  contents: readonly Content[] | undefined
  /** Another file is being put in the place of one. */
  busy: boolean
  /** Another order is being saved, and is not known to hold. */
  isMoving: boolean
  onRename: (content: Content) => void
  onReplace: (content: Content) => void
  onMove: (content: Content, by: 1 | -1) => void
}

/** What its owner may do with one file of an open collection. */
export function ContentMenu({ content, contents = [], busy, isMoving, onRename, onReplace, onMove }: ContentMenuProps) {
  const row = contents.findIndex(({ id }) => id === content.id)
  return (
    <div data-content-menu={content.id}>
      <OptionsMenu
        label={m.content_options({ title: content.title, file: content.file_name })}
        entries={[
          { label: m.content_rename(), icon: Pencil, onSelect: () => onRename(content) },
          { label: m.content_replace(), icon: FileUp, disabled: busy, onSelect: () => onReplace(content) },
          {
            label: m.content_move_up(),
            icon: ArrowUp,
            disabled: isMoving || row < 1,
            onSelect: () => onMove(content, -1),
          },
          {
            label: m.content_move_down(),
            icon: ArrowDown,
            disabled: isMoving || row === contents.length - 1,
            onSelect: () => onMove(content, 1),
          },
        ]}
      />
    </div>
  )
}
