import { Menu as Base } from '@base-ui/react/menu'
import { Ellipsis, type LucideIcon } from 'lucide-react'
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

/** The three-dots button of a row with its options. `label` names the row for screen readers. */
export function OptionsMenu({ label, entries }: { label: string; entries: MenuEntry[] }) {
  const navigate = useNavigate()
  return (
    <Base.Root>
      <Base.Trigger
        aria-label={label}
        title={label}
        className="inline-flex h-8 w-9 items-center justify-center rounded-control border border-line bg-sheet hover:border-line-strong data-popup-open:border-line-strong"
      >
        <Ellipsis aria-hidden size={17} />
      </Base.Trigger>
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
