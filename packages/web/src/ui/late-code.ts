import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { m } from '../paraglide/messages.js'
import { showNotice } from './ask.ts'
import { whenIdle } from './use-loaded-ahead.ts'

/** Code that a screen can stand without, such as what a button opens. */
export interface LateCode<T> {
  load: () => Promise<T>
  /** What has been loaded, for screens to come. */
  loaded: T | undefined
}

/** Made once, outside of components. */
export function makeLateCode<T>(load: () => Promise<T>): LateCode<T> {
  const code: LateCode<T> = {
    loaded: undefined,
    async load() {
      code.loaded = await load()
      return code.loaded
    },
  }
  return code
}

/** How often to look whether a press has ended. */
const LET_GO_EVERY_MS = 20

let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), true)

/**
 * A press on a button that is replaced before it is let go would reach nobody. What opens by a press is shown in a task of
 * its own: in that of the press, it would take the same click for one beside it, and close.
 */
async function whenLetGo(): Promise<void> {
  await startTask()
  if (!isPressed) return
  await new Promise((resolve) => setTimeout(resolve, LET_GO_EVERY_MS))
  await whenLetGo()
}

function startTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

/** How long after a failure that which is wanted is loaded again. */
const RETRY_MS = 5_000

/**
 * @param isWanted Loads it at once instead of when the screen stands and has nothing else to do.
 * @returns undefined until it is here; a failure is told once it is wanted, and tried again for as long
 */
export function useLateCode<T>(code: LateCode<T>, isWanted: boolean): T | undefined {
  const [loaded, setLoaded] = useState(code.loaded)
  useEffect(() => {
    // By what is shown and not by what has come: a press between the two calls the first showing off.
    if (loaded) return
    let isGone = false
    let hasTold = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      void code.load().then(
        // At once: a press that begins before the button is replaced would still be lost.
        (value) => whenLetGo().then(() => isGone || flushSync(() => setLoaded(() => value))),
        retry,
      )
    function retry() {
      if (isGone || !isWanted) return
      if (!hasTold) void showNotice({ title: m.render_failure() })
      hasTold = true
      clearTimeout(timer)
      timer = setTimeout(load, RETRY_MS)
    }
    const callOff = isWanted ? load() : whenIdle(load)
    if (isWanted) addEventListener('online', load)
    return () => {
      isGone = true
      callOff?.()
      clearTimeout(timer)
      removeEventListener('online', load)
    }
  }, [code, isWanted, loaded])
  return loaded
}
