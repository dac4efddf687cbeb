import { useSyncExternalStore } from 'react'

/** A value that outlives every component. */
export interface Store<Value> {
  read(): Value
  /** Tells who watches, unless the value stays the same. */
  write(next: Value): void
  /** @returns what ends it */
  watch(listener: () => void): () => void
}

export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    write(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<Value>({ watch, read }: Store<Value>): Value {
  return useSyncExternalStore(watch, read)
}
