import { useEffect, useState } from 'react'
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

/**
 * @param isWanted Loads it at once instead of when the screen stands and has nothing else to do.
 * @returns undefined until it is here; a failure is tried again when it is wanted
 */
export function useLateCode<T>(code: LateCode<T>, isWanted: boolean): T | undefined {
  const [loaded, setLoaded] = useState(code.loaded)
  useEffect(() => {
    if (code.loaded) return
    let isGone = false
    const load = () =>
      void code.load().then(
        (value) => isGone || setLoaded(() => value),
        () => {},
      )
    const callOff = isWanted ? load() : whenIdle(load)
    return () => {
      isGone = true
      callOff?.()
    }
  }, [code, isWanted])
  return loaded
}
