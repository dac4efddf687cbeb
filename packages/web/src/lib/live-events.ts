import { CHANGED_EVENT, ChangedTopics, LIVE_TOPICS, openEvents, type LiveTopic } from '@proofdesk/contract/live'
import { EVENT_HEARTBEAT_MS } from '@proofdesk/contract/limits'
import { ApiError } from './api-error.ts'
import { withAccess } from './call.ts'
import { send } from './send.ts'
import { createStore, useStore } from './store.ts'

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
/** A stream on which not even the heartbeat comes is broken. */
const SILENCE_MS = 3 * EVENT_HEARTBEAT_MS
/** Only a stream that lasted this long counts as a success; otherwise one that is always cut off would be asked for in a row. */
const PROVEN_MS = 10_000
/** The first stream that opens within this time misses hardly anything. */
const PROMPT_MS = 300
/** A tab nobody looks at gives its connection up after this long: browsers allow few to one server. */
const HIDDEN_GRACE_MS = 60_000

const isLive = createStore(false)

/** Whether changes are told as they happen; otherwise screens ask now and then. */
export function useIsLive(): boolean {
  return useStore(isLive)
}

/**
 * Follows what changes for the signed-in person, reconnecting for as long as it is wanted. Hints are not replayed: after
 * every gap all topics are told.
 * @returns what ends it
 */
export function followEvents(onChanged: (topics: readonly LiveTopic[]) => void): () => void {
  const end = new AbortController()
  void keepFollowing(onChanged, end.signal)
  return () => end.abort()
}

async function keepFollowing(onChanged: (topics: readonly LiveTopic[]) => void, ended: AbortSignal): Promise<void> {
  let failures = 0
  let hasGap = false
  while (!ended.aborted) {
    await waitUntilVisible(ended)
    if (ended.aborted) return
    const beganAt = Date.now()
    let problem: unknown
    try {
      await readStream(ended, onChanged, () => {
        isLive.write(true)
        // Right after loading only the bell may be behind: it was asked for before this stream began. A stream that was slow to
        // open may have missed what changed since the screen was loaded.
        const isLate = hasGap || Date.now() - beganAt > PROMPT_MS
        onChanged(isLate ? LIVE_TOPICS : ['notifications'])
        hasGap = true
      })
    } catch (error) {
      problem = error
    }
    isLive.write(false)
    if (Date.now() - beganAt > PROVEN_MS) failures = 0
    if (!ended.aborted && document.visibilityState === 'visible') await pause(waitAfter(problem, failures++), ended)
  }
}

/** Resolves when the server ends the stream. @throws when it breaks, falls silent, or is not wanted any more */
async function readStream(
  ended: AbortSignal,
  onChanged: (topics: readonly LiveTopic[]) => void,
  onOpen: () => void,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([ended, stop.signal])
  const stopWatching = abortWhenHidden(stop)
  let silence: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    clearTimeout(silence)
    silence = setTimeout(() => stop.abort(), SILENCE_MS)
  }
  try {
    hear()
    const response = await withAccess(openEvents, (access) => send(openEvents, {}, { access, signal }))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (!reader) return
    onOpen()
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done || signal.aborted) return
      hear()
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) tellBlock(block, onChanged)
    }
  } finally {
    clearTimeout(silence)
    stopWatching()
  }
}

/** One event as our server writes it (WHATWG HTML, section 9.2); comments and what is unknown are passed over. */
function tellBlock(block: string, onChanged: (topics: readonly LiveTopic[]) => void): void {
  const lines = block.split('\n')
  if (!lines.includes(`event: ${CHANGED_EVENT}`)) return
  const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length) ?? ''
  try {
    onChanged(ChangedTopics.parse(JSON.parse(data)))
  } catch (error) {
    console.error('A live event was not understood', error)
  }
}

function waitAfter(problem: unknown, failures: number): number {
  // Too many tabs, or a busy server: it does not get better by asking soon.
  const isRefused = problem instanceof ApiError && problem.status < 500
  const longest = isRefused ? LONGEST_RETRY_MS : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures)
  // Spread out, so that not everybody comes back at once after a restart.
  return longest * (0.5 + Math.random() / 2)
}

/** Ends early when the network comes back. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
    ended.addEventListener('abort', finish)
    function finish() {
      clearTimeout(timer)
      removeEventListener('online', finish)
      ended.removeEventListener('abort', finish)
      resolve()
    }
  })
}

function waitUntilVisible(ended: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', finish)
    ended.addEventListener('abort', finish)
    function finish() {
      if (!ended.aborted && document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', finish)
      ended.removeEventListener('abort', finish)
      resolve()
    }
  })
}

/** @returns what stops watching */
function abortWhenHidden(stop: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(() => stop.abort(), HIDDEN_GRACE_MS)
  }
  document.addEventListener('visibilitychange', watch)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', watch)
  }
}
