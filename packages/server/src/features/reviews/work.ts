import { defineWork } from '../../outbox/outbox.ts'

export interface ReturnedCollection {
  user_id: number
  collection_id: number
  /** The round that came back; missing where an older version wrote it down. */
  submission?: number
}

export const rejectionMail = defineWork<ReturnedCollection>('rejection_mail')

export const approvalMail = defineWork<{ proof_id: number }>('approval_mail', { isUnhurried: true })

/** Most of what it takes is waiting: for the log, the disk and the process that judges the file. */
export const sealProof = defineWork<{ proof_id: number }>('seal_proof', { atOnce: 8 })
