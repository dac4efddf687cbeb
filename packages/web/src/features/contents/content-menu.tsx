import type { Content } from '@proofdesk/contract/contents'
import { ArrowDown, ArrowUp, FileUp, Pencil, type LucideIcon } from 'lucide-react'
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
  /** @param to The row where it shall stand, from 0. */
  onMove: (content: Content, to: number) => void
}

/** What its owner may do with one file of an open collection. */
export function ContentMenu({ content, contents = [], busy, isMoving, onRename, onReplace, onMove }: ContentMenuProps) {
  const row = contents.findIndex(({ id }) => id === content.id)
  const moving = (label: string, icon: LucideIcon, to: number) => ({
    label,
    icon,
    disabled: isMoving || to === row || !contents[to],
    onSelect: () => onMove(content, to),
  })
  return (
    <div data-content-menu={content.id}>
      <OptionsMenu
        label={m.content_options({ title: content.title, file: content.file_name })}
        entries={[
          { label: m.content_rename(), icon: Pencil, onSelect: () => onRename(content) },
          { label: m.content_replace(), icon: FileUp, disabled: busy, onSelect: () => onReplace(content) },
          moving(m.content_move_top(), ArrowUp, 0),
          moving(m.content_move_up(), ArrowUp, row - 1),
          moving(m.content_move_down(), ArrowDown, row + 1),
          moving(m.content_move_bottom(), ArrowDown, contents.length - 1),
        ]}
      />
    </div>
  )
}
