import { readAnswer } from '@proofdesk/proof/read-answer'
import type { StatusSource } from '@proofdesk/proof/verify-document'
import { openKeptValues } from '../../lib/kept-values.ts'

/** A status page that this browser has seen. */
interface SeenPage {
  /** Log and number of the page. */
  name: string
  /** Entries that a tree has at least that leaves out nothing of what was shown. */
  size: number
}

const WAIT_MS = 10_000

const seen = openKeptValues<SeenPage>('proofdesk-status', 'pages', 'name')

/** The pages of revocations of the server that this page came from; each speaks of so many entries that asking names none. */
export const STATUS_PAGES: StatusSource = {
  async read(page) {
    // A server that never answers withholds no verdict: it is unknown then.
    const signal = AbortSignal.timeout(WAIT_MS)
    const response = await fetch(`/log/status/${page}`, { credentials: 'omit', cache: 'no-cache', signal }).catch(
      () => undefined,
    )
    // To its end also where it is none: an answer that nobody reads stays open.
    const bytes = response && (await readAnswer(response).catch(() => undefined))
    // Before it was first made the answer is 204.
    return bytes && response.status === 200 ? new TextDecoder().decode(bytes) : undefined
  },
  async meet(origin, page, size) {
    const name = `${origin} ${page}`
    const before = await seen.find(name)
    // Also where no witness has signed it yet: it may be the first to say that something is revoked, and the one before must not
    // pass again. Whoever has the log's key could keep revocations unknown anyway, by giving out nothing.
    await seen.keep({ name, size }, (kept) => kept.size >= size)
    return before?.size
  },
}
