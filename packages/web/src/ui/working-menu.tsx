import { Menu as Base } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'

export interface MenuEntry {
  label: string
  icon?: LucideIcon
  /** Where it leads, or what it does. */
  to?: string
  onSelect?: () => void
  danger?: boolean
  disabled?: boolean
}

export interface WorkingMenuProps {
  /** How its button looks and is called. */
  trigger: ComponentProps<'button'>
  entries: MenuEntry[]
  /** Its button was pressed while this code was on its way. */
  startsOpen: boolean
  /** The button that stood in for this one had the focus. */
  takesFocus: boolean
}

/** The menu itself, with the button that opens it. */
export function WorkingMenu({ trigger, entries, startsOpen, takesFocus }: WorkingMenuProps) {
  const navigate = useNavigate()
  return (
    <Base.Root defaultOpen={startsOpen}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it only keeps the focus where it was */}
      <Base.Trigger {...trigger} autoFocus={takesFocus} />
      {/* Inside main, so that the open menu stands in a landmark. */}
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner sideOffset={6} align="end" className="z-30 outline-none">
          <Base.Popup className="pop min-w-44 p-1.5 outline-none">
            {entries.map(({ label: text, icon: Icon, to, onSelect, danger, disabled = false }) => (
              <Base.Item
                key={text}
                disabled={disabled}
                onClick={() => (to === undefined ? onSelect?.() : void navigate(to))}
                className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-brand-wash ${danger ? 'text-seal data-highlighted:bg-seal-wash' : ''}`}
              >
                {Icon && <Icon aria-hidden size={16} strokeWidth={1.8} />}
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
