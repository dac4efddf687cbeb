import type { Collection } from '@proofdesk/contract/collections'
import { SENT_DIALOG_MS } from '@proofdesk/contract/limits'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefusal } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { readPending, waitForUploads } from '../../lib/pending-uploads.ts'
import { PATHS } from '../../lib/paths.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { useHasLeft } from '../../lib/use-has-left.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { showToast } from '../../ui/toast.ts'
import { useCollection, useSendCollection } from './api.ts'

/** The last file may be about to arrive; whoever has to wait longer is told why. */
const UPLOADS_END_MS = 3000

/**
 * Sending a collection for review: asks first, says 'Sent!' for 3 seconds, then goes to the dashboard (specification
 * section 4). Where neither that nor the collection is answered it may be sent all the same; once the collection tells so, that
 * is said in place of the failure.
 * @param onProblem Told why it failed; undefined at the start of another try.
 */
export function useSendForReview(onProblem: (problem: string | undefined) => void) {
  const send = useSendCollection()
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const hasLeft = useHasLeft()
  const [unansweredId, setUnansweredId] = useState(0)
  const isSentAfterAll = useCollection(unansweredId).data?.is_locked === true

  const finishUnanswered = useEffectEvent(() => {
    onProblem(undefined)
    showToast(m.collection_sent())
  })
  useEffect(() => {
    if (isSentAfterAll) finishUnanswered()
  }, [isSentAfterAll])

  async function sendForReview(collection: Collection) {
    onProblem(undefined)
    setUnansweredId(0)
    // What is sent is closed: a file that comes later would be refused, and miss in what is reviewed.
    await waitForUploads(collection.id, UPLOADS_END_MS)
    if (hasLeft()) return
    const { moving, replacing, chosen } = readPending(collection.id)
    if (moving > 0) return onProblem(m.collection_send_uploading({ count: moving }))
    if (replacing > 0) return onProblem(m.collection_send_replacing())
    const text = m.collection_send_text({ title: collection.title })
    const isSure = await askConfirm({
      title: m.are_you_sure(),
      text: chosen > 0 ? `${text} ${m.collection_send_without({ count: chosen })}` : text,
      action: m.collection_send(),
    })
    if (!isSure) return
    try {
      await send.mutateAsync(collection)
    } catch (error) {
      onProblem(wordsOf(error, m.collection_send_failed(), m.collection_lock_failed()))
      if (!isRefusal(error)) setUnansweredId(collection.id)
      return
    }
    await showNotice({
      title: m.collection_sent(),
      text: m.collection_sent_text(),
      tone: 'success',
      closeAfterMs: SENT_DIALOG_MS,
    })
    // Whoever has gone elsewhere meanwhile stays there.
    if (!hasLeft()) await navigate(PATHS.dashboard)
  }

  return { busy, sendForReview: (collection: Collection) => void run(() => sendForReview(collection)) }
}
