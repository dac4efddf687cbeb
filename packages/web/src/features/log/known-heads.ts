/** Signing out clears the local storage; what a log once said must outlive that. */
const DATABASE = 'proofdesk-log'
const STORE = 'heads'

/** The newest head of a log that this browser has checked, as it was signed. */
export interface KnownHead {
  origin: string
  note: string
  /** By this device's clock, ISO 8601. */
  seenAt: string
}

/** Undefined for a log that is met for the first time, or where the browser keeps nothing. */
export async function findKnownHead(origin: string): Promise<KnownHead | undefined> {
  return inStore('readonly', (store) => store.get(origin) as IDBRequest<KnownHead | undefined>).catch(() => undefined)
}

/** Where the browser keeps nothing, nothing is kept. */
export async function keepKnownHead(head: KnownHead): Promise<void> {
  await inStore('readwrite', (store) => store.put(head)).catch(() => undefined)
}

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE, { keyPath: 'origin' }))
  const database = await settle(opening)
  try {
    return await settle(ask(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })
}
