import { Popover } from '@base-ui/react/popover'
import type { ComponentProps, ReactNode, RefObject } from 'react'
import { m } from '../../paraglide/messages.js'
import { NotificationList, type NotificationListProps } from './notification-list.tsx'

export interface WorkingBellProps extends NotificationListProps {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** How its button looks and is called. */
  trigger: ComponentProps<'button'>
  /** The button that stood in for this one had the focus. */
  takesFocus: boolean
  popup: RefObject<HTMLDivElement | null>
  /** Above the list. */
  children: ReactNode
}

/** What the bell opens, with the button that opens it. */
export function WorkingBell({ isOpen, onToggle, trigger, takesFocus, popup, children, ...list }: WorkingBellProps) {
  return (
    <Popover.Root open={isOpen} onOpenChange={onToggle}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it only keeps the focus where it was */}
      <Popover.Trigger {...trigger} autoFocus={takesFocus} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" collisionPadding={12} className="z-30">
          <Popover.Popup
            ref={popup}
            aria-label={m.bell_label()}
            className="pop max-h-[70dvh] w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto p-1.5"
          >
            {children}
            <NotificationList {...list} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
