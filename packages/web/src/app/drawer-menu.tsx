import { Dialog } from '@base-ui/react/dialog'
import type { UserInfo } from '@proofdesk/contract/users'
import { Menu, X } from 'lucide-react'
import { useState } from 'react'
import { m } from '../paraglide/messages.js'
import { IconButton } from '../ui/icon-button.tsx'
import { DestinationList } from './sidebar.tsx'

/** The sidebar of a phone: a drawer behind a button of the top bar. */
export function DrawerMenu({ user }: { user: UserInfo }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger render={<IconButton icon={Menu} label={m.nav_open_menu()} className="lg:hidden" />} />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim z-40 lg:hidden" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-50 flex w-[min(18rem,84vw)] flex-col gap-4 overflow-y-auto border-e border-line bg-sunk p-3 transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full lg:hidden rtl:data-ending-style:translate-x-full rtl:data-starting-style:translate-x-full">
          <div className="flex items-center justify-between ps-2.5">
            <Dialog.Title className="font-serif text-lg font-semibold">{m.nav_menu()}</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label={m.close()} framed={false} />} />
          </div>
          <nav aria-label={m.nav_main()}>
            <DestinationList user={user} onChosen={() => setIsOpen(false)} />
          </nav>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
