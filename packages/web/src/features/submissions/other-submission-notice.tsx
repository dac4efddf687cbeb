import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { WarnBanner } from '../../ui/banner.tsx'
import { useSubmissions } from './api.ts'
import { ChangeWords } from './change-words.tsx'

export interface OtherSubmissionNoticeProps {
  collectionId: number
  /** Digest of what was on screen before. */
  lookedAt: string | undefined
  onLookedAnew: () => void
}

/** What is on screen has become another submission under the reviewer's eyes: what changed, and that it was looked at. */
export function OtherSubmissionNotice({ collectionId, lookedAt, onLookedAnew }: OtherSubmissionNoticeProps) {
  const { data } = useSubmissions(collectionId, 1)
  const rounds = data?.results ?? []
  const seen = rounds.findIndex(({ digest }) => digest === lookedAt)
  const since = rounds.slice(0, seen === -1 ? 1 : seen).toReversed()
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
