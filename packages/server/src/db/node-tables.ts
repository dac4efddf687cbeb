/** A process that serves, for as long as it says so. */
export interface NodeRow {
  /** Drawn at its start. */
  id: string
  version: string
  seen_at: number
}
