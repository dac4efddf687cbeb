/** Signing out clears the local storage; what a log once said must outlive that. */

/** Values of one kind that the browser keeps by their key; where it keeps nothing, nothing is there. */
export interface KeptValues<T> {
  find(key: string): Promise<T | undefined>
  /** @param isOutdone Whether what is kept already is to stay. Told and decided at once: no other tab writes in between. */
  keep(value: T, isOutdone?: (kept: T) => boolean): Promise<void>
}

/**
 * Opens a place of its own in the browser.
 * @param key Which member of a value is its key.
 */
export function openKeptValues<T>(database: string, store: string, key: keyof T & string): KeptValues<T> {
  async function inStore<R>(mode: IDBTransactionMode, ask: (kept: IDBObjectStore) => Promise<R>): Promise<R> {
    const opening = indexedDB.open(database, 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store, { keyPath: key }))
    const opened = await settle(opening)
    try {
      return await ask(opened.transaction(store, mode).objectStore(store))
    } finally {
      opened.close()
    }
  }
  return {
    find: (name) => inStore('readonly', (kept) => settle<T | undefined>(kept.get(name))).catch(() => undefined),
    keep: (value, isOutdone) =>
      inStore('readwrite', async (kept) => {
        const before = isOutdone && (await settle<T | undefined>(kept.get(value[key] as IDBValidKey)))
        if (before === undefined || !isOutdone?.(before)) await settle(kept.put(value))
      }).catch(() => {}),
  }
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })
}
