/** What a call has made under a key of its sender, so that the same call is known when it comes again. */
export interface MadeOnceRow {
  /** Whose call it was: `user 7`, `visitor 7`. */
  owner: string
  kind: 'collection' | 'comment' | 'ticket' | 'ticket message'
  /** As its sender chose it. */
  key: string
  /** Of what was made; it may have been deleted since. */
  object_id: number
  /** Of what was sent, under a key that is not in the database. */
  fingerprint: string
  made_at: number
}
