import { defineWork } from '../../outbox/outbox.ts'

export const rejectionMail = defineWork<{ user_id: number; collection_id: number }>('rejection_mail')

export const approvalMail = defineWork<{ proof_id: number }>('approval_mail', { isUnhurried: true })

/** Most of what it takes is waiting: for the log, the disk and the process that judges the file. */
export const sealProof = defineWork<{ proof_id: number }>('seal_proof', { atOnce: 8 })
