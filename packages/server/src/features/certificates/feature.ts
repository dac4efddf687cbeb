import { findChange } from './changes/queries.ts'
import { doEach } from '../../do-each.ts'
import { sends, type Feature } from '../../feature.ts'
import { certificateEvents } from './events.ts'
import { sendChangeMail, sendReminderMail } from './mails.ts'
import { findProof } from './queries.ts'
import { remindOwners } from './reminders/remind-owners.ts'
import { judgeCertified } from './rounds/judge-certified.ts'
import { certificateRoutes } from './routes.ts'
import { proofChangeMail, reminderMail } from './work.ts'
import type { Db } from '../../db/open.ts'

export const certificates: Feature = {
  name: 'certificates',
  tables: ['proofs', 'proof_changes', 'erasing_proofs', 'reminder_marks', 'told_reminders', 'file_problems'],
  events: certificateEvents,
  routes: certificateRoutes,
  mails: [
    sends(
      proofChangeMail,
      (deps, { proof_id, number }) => sendChangeMail(deps, proof_id, number),
      findOwner,
      async (reads, { proof_id, number }) => {
        const [proof, change] = await Promise.all([findProof(reads, proof_id), findChange(reads, proof_id, number)])
        if (!proof || !change) return undefined
        return { userId: change.actor_id, title: proof.title, about: { collection: proof.collection_id } }
      },
    ),
    sends(reminderMail, (deps, { proof_id, expire_time }) => sendReminderMail(deps, proof_id, expire_time), findOwner),
  ],
  tend: (deps) => doEach([() => remindOwners(deps), () => judgeCertified(deps)]),
}

async function findOwner(reads: Db, { proof_id }: { proof_id: number }) {
  const proof = await findProof(reads, proof_id)
  return proof && { userId: proof.owner_id }
}
