import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { makeLateCode, useLateCode } from './late-code.ts'
import type { MenuEntry } from './working-menu.tsx'

export const WORKING_MENU = makeLateCode(() => import('./working-menu.tsx'))

/**
 * The three-dots button of a row with its options. `label` names the row for screen readers. What opens is loaded once the
 * screen stands; a button pressed before that opens then.
 */
export function OptionsMenu({ label, entries }: { label: string; entries: MenuEntry[] }) {
  const [isWanted, setIsWanted] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const code = useLateCode(WORKING_MENU, isWanted)
  const trigger = {
    'aria-label': label,
    title: label,
    className:
      'inline-flex h-8 w-9 items-center justify-center rounded-control border border-line bg-sheet hover:border-line-strong data-popup-open:border-line-strong',
    children: <Ellipsis aria-hidden size={17} />,
  }
  if (code) return <code.WorkingMenu trigger={trigger} entries={entries} startsOpen={isWanted} takesFocus={hasFocus} />
  return (
    <button
      {...trigger}
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsWanted(true)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    />
  )
}
