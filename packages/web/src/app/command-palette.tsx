// No element of HTML is a listbox that a text field leads.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Dialog } from '@base-ui/react/dialog'
import { isReviewer } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import { BadgeCheck, FolderOpen, Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { StatusBadge } from '../features/collections/status-badge.tsx'
import { useTitleSearch } from '../features/collections/use-title-search.ts'
import { useLayer } from '../lib/layers.ts'
import { contentPath, PATHS } from '../lib/paths.ts'
import { useSearchText } from '../lib/use-list-address.ts'
import { m } from '../paraglide/messages.js'
import { UserText } from '../ui/user-text.tsx'
import { destinationsFor, type Destination } from './navigation.ts'
import { PaletteGroup, type PaletteEntry } from './palette-group.tsx'

export interface CommandPaletteProps {
  user: UserInfo
  isOpen: boolean
  onClose: () => void
}

/** A field that leads to every screen of one's role, and to collections by their title. */
export default function CommandPalette({ user, isOpen, onClose }: CommandPaletteProps) {
  useLayer(isOpen, onClose)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim z-40" />
        <Dialog.Popup className="pop fixed start-1/2 top-[min(14vh,8rem)] z-50 flex max-h-[min(32rem,calc(100dvh-6rem))] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rtl:translate-x-1/2">
          <Dialog.Title className="sr-only">{m.palette_title()}</Dialog.Title>
          <Palette user={user} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A combobox as the ARIA practices have it: the focus stays in the field, the chosen entry is named by it. */
function Palette({ user, onClose }: Omit<CommandPaletteProps, 'isOpen'>) {
  const navigate = useNavigate()
  const id = useId()
  const [search, setSearch] = useState('')
  const [text, setText] = useSearchText(search, setSearch)
  const found = useTitleSearch(search, user.is_email_verified)
  const [chosenTo, setChosenTo] = useState<string>()
  const list = useRef<HTMLDivElement>(null)

  const screens = findScreens(user, text)
  const collections =
    text.trim() === ''
      ? []
      : (found.data ?? []).map((collection) => ({
          to: contentPath(collection.id),
          icon: FolderOpen,
          word: <UserText>{collection.title}</UserText>,
          mark: (
            <>
              {isReviewer(user) && <UserText className="truncate text-sm text-ink-2">{collection.username}</UserText>}
              <StatusBadge collection={collection} />
            </>
          ),
        }))
  const entries = [...screens, ...collections]
  const chosen = Math.max(
    0,
    entries.findIndex(({ to }) => to === chosenTo),
  )
  const chosenId = entries.length > 0 ? `${id}-${chosen}` : undefined

  // Enter before the titles for what is typed are there opens what comes first among them, not one found for another text.
  const [entered, setEntered] = useState<string>()
  const isSearching = text.trim() !== search.trim() || found.isFetching
  const go = ({ to }: PaletteEntry) => {
    onClose()
    void navigate(to)
  }
  const awaited = entered === text && !isSearching ? entries[chosen] : undefined
  useEffect(() => {
    if (awaited) go(awaited)
  })

  useEffect(() => {
    if (chosenId) list.current?.querySelector(`[id="${chosenId}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const entry = entries[chosen]
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      setChosenTo(entries[(chosen + step + entries.length) % entries.length]?.to)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const isOfText = chosen < screens.length || entry?.to === chosenTo || !isSearching
      if (!isOfText) setEntered(text)
      else if (entry) go(entry)
    }
  }

  const group = { id, chosen, onGo: go, onPoint: ({ to }: PaletteEntry) => setChosenTo(to) }
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden size={17} className="shrink-0 text-ink-2" />
        <input
          role="combobox"
          aria-label={m.palette_field()}
          placeholder={m.palette_field()}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosenId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setEntered(undefined)
          }}
          onKeyDown={handleKey}
          className="min-h-13 min-w-0 grow bg-transparent outline-none placeholder:text-ink-2"
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={m.palette_title()} className="overflow-y-auto p-1.5">
        <PaletteGroup {...group} title={m.palette_screens()} entries={screens} from={0} />
        <PaletteGroup {...group} title={m.palette_collections()} entries={collections} from={screens.length} />
      </div>
      {found.isError && <p className="px-4 pb-4 text-ink-2">{m.palette_failed()}</p>}
      {entries.length === 0 && !isSearching && !found.isError && (
        <p className="px-4 pt-1 pb-5 text-center text-ink-2">{m.palette_empty()}</p>
      )}
      <output className="sr-only">{!isSearching && m.palette_found({ count: entries.length })}</output>
    </>
  )
}

/** The screens of the sidebar and the one for verifying, by a part of their names. */
function findScreens(user: UserInfo, text: string): Destination[] {
  const verify = { to: PATHS.serviceContent, word: m.verify_title(), icon: BadgeCheck }
  const part = text.trim().toLocaleLowerCase()
  return [...destinationsFor(user), verify].filter(({ word }) => word.toLocaleLowerCase().includes(part))
}
