import type { WaitingCollection } from '@proofdesk/contract/reviews'
import { useNavigate } from 'react-router'
import { contentPath } from '../../lib/paths.ts'
import { useShortcut } from '../../lib/use-shortcut.ts'

/** Alt with the arrows up and down, which no browser uses on a page. */
export function useQueueKeys(
  previous: WaitingCollection | null | undefined,
  next: WaitingCollection | null | undefined,
): void {
  const navigate = useNavigate()
  const open = (collection: WaitingCollection | null | undefined) => {
    if (collection) void navigate(contentPath(collection.id))
  }
  useShortcut('arrowup', () => open(previous), Boolean(previous))
  useShortcut('arrowdown', () => open(next), Boolean(next))
}
