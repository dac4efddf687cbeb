import { defineWork } from '../../outbox/outbox.ts'

export const rejectionMail = defineWork<{ user_id: number; collection_id: number }>('rejection_mail')

export const approvalMail = defineWork<{ proof_id: number }>('approval_mail')

export const sealProof = defineWork<{ proof_id: number }>('seal_proof')
