/** What limits count together for all processes (migration 0034); on PostgreSQL only. Times are of the database's clock. */
export interface LimitCountRow {
  /** The limit's name, and whom it is counted for as a keyed hash. */
  key: string
  failures: number
  /** Attempts whose outcome is not known yet. */
  in_flight: number
  /** When the newest of them began. */
  taken_at: number
  /** When the failures are forgotten. */
  ends_at: number
  /** Once they are used up: when the next attempt is looked at all the same, where the limit has such. */
  looks_again_at: number
}
