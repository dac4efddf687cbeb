/** Signing out clears the local storage; what a log once said must outlive that. */

/** Values of one kind that the browser keeps by their key; where it keeps nothing, nothing is there. */
export interface KeptValues<T> {
  find(key: string): Promise<T | undefined>
  keep(value: T): Promise<void>
}

/**
 * Opens a place of its own in the browser.
 * @param key Which member of a value is its key.
 */
export function openKeptValues<T>(database: string, store: string, key: keyof T & string): KeptValues<T> {
  async function inStore<R>(mode: IDBTransactionMode, ask: (kept: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const opening = indexedDB.open(database, 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store, { keyPath: key }))
    const opened = await settle(opening)
    try {
      return await settle(ask(opened.transaction(store, mode).objectStore(store)))
    } finally {
      opened.close()
    }
  }
  return {
    find: (name) => inStore('readonly', (kept) => kept.get(name) as IDBRequest<T | undefined>).catch(() => undefined),
    keep: async (value) => void (await inStore('readwrite', (kept) => kept.put(value)).catch(() => undefined)),
  }
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })
}
