import type { Submission } from '@proofdesk/contract/submissions'
import { useEffect } from 'react'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { WarnBanner } from '../../ui/banner.tsx'
import { useSubmissions } from './api.ts'
import { ChangeWords } from './change-words.tsx'

export interface OtherSubmissionNoticeProps {
  collectionId: number
  /** Digest of what was on screen before. */
  lookedAt: string | undefined
  /** Digest of what is on screen now. */
  shown: string | undefined
  onLookedAnew: () => void
}

/** What is on screen has become another submission under the reviewer's eyes: what changed, and that it was looked at. */
export function OtherSubmissionNotice({ collectionId, lookedAt, shown, onLookedAnew }: OtherSubmissionNoticeProps) {
  const { username } = useUser()
  const { data, isFetching } = useSubmissions(collectionId, 1)
  const rounds = data?.results ?? []
  const seen = rounds.findIndex(({ digest }) => digest === lookedAt)
  const since = rounds.slice(0, seen === -1 ? 1 : seen).toReversed()
  const isKnown = rounds[0]?.digest === shown
  const isOwnDoing = isKnown && isMadeBy(username, rounds.slice(1, seen + 1))
  useEffect(() => {
    if (isOwnDoing) onLookedAnew()
  }, [isOwnDoing, onLookedAnew])
  // Nobody is told of what they did themselves, also not while that is being found out.
  if (isOwnDoing || (!isKnown && isFetching)) return null
  return (
    <WarnBanner
      action={
        <Button
          onClick={({ currentTarget }) => {
            onLookedAnew()
            // The button goes with the notice.
            currentTarget.closest('section')?.focus()
          }}
        >
          {m.submission_looked_anew()}
        </Button>
      }
    >
      <p role="alert">{m.collection_changed()}</p>
      {since.map(({ number, changes }) => changes && <ChangeWords key={number} changes={changes} />)}
    </WarnBanner>
  )
}

/** Whether each of some rounds gave way to the next because this person deleted a file of it, and nothing else happened. */
function isMadeBy(username: string, rounds: readonly Submission[]): boolean {
  return rounds.length > 0 && rounds.every(({ outcome, reviewer }) => outcome === 'replaced' && reviewer === username)
}
