/** What the load program is told, as JSON in its one argument. */
export interface LoadPlan {
  port: number
  /** Kept open; each sends its next request when it has the answer to the one before. */
  connections: number
  /** How long to send, ms. */
  lasts: number
  /** Instead: one request each so many ms on any free connection, whether or not the ones before were answered. */
  every?: number
  /** Instead: each request once, whichever connection is free; `lasts` says nothing. */
  once?: boolean
  /** Else each connection begins at another one and takes every nth from there, n being the number of connections. */
  requests: LoadRequest[]
}

export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** What it answers, as JSON. Times are ms. */
export interface LoadResult {
  count: number
  seconds: number
  /** Processor time that sending took. */
  senderCpuSeconds: number
  p50: number
  p99: number
  longest: number
  /** Of the answers, by status. */
  statuses: Record<string, number>
}
