import { Dialog } from '@base-ui/react/dialog'
import type { UserInfo } from '@proofdesk/contract/users'
import { Search, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { useLayer } from '../lib/layers.ts'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { DestinationList } from './sidebar.tsx'
import { SignedInLine } from './signed-in-person.tsx'

export interface WorkingDrawerProps {
  user: UserInfo
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** The bar of a phone has no room for the button that opens the way to any screen. */
  onPalette: () => void
  /** The button that opens it. */
  trigger: ReactElement
  /** The button that stood in for this one had the focus. */
  takesFocus: boolean
}

/** The drawer itself, with the button that opens it. */
export function WorkingDrawer({ user, isOpen, onToggle, onPalette, trigger, takesFocus }: WorkingDrawerProps) {
  useLayer(isOpen, () => onToggle(false))
  return (
    <Dialog.Root open={isOpen} onOpenChange={onToggle}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it only keeps the focus where it was */}
      <Dialog.Trigger render={trigger} autoFocus={takesFocus} />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim z-40 lg:hidden" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-50 flex w-[min(18rem,84vw)] flex-col gap-4 overflow-y-auto border-e border-line bg-sunk p-3 transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full lg:hidden rtl:data-ending-style:translate-x-full rtl:data-starting-style:translate-x-full">
          <div className="flex items-center justify-between ps-2.5">
            <Dialog.Title className="font-serif text-lg font-semibold">{m.nav_menu()}</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label={m.close()} framed={false} />} />
          </div>
          <SignedInLine user={user} />
          <Button
            className="justify-start sm:hidden"
            onClick={() => {
              onToggle(false)
              onPalette()
            }}
          >
            <Search aria-hidden size={17} />
            {m.palette_find()}
          </Button>
          <nav aria-label={m.nav_main()}>
            <DestinationList user={user} onChosen={() => onToggle(false)} />
          </nav>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
