import type { ServerContent } from '@proofdesk/contract/certificates'
import { m } from '../../paraglide/messages.js'
import { Sentence } from '../../ui/sentence.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useProofChanges } from './change-api.ts'
import { NoteField } from './note-field.tsx'
import { ProofForm } from './proof-form.tsx'
import { sayReason } from '../../lib/revocation-words.ts'
import type { ProofFormProps } from './use-proof-form.ts'

/** Shows what is to be undone, and asks for a note. */
export function ReinstateForm({ seen, note, setNote, send, isPending, problem, leave }: ProofFormProps) {
  return (
    <ProofForm
      action={m.proof_reinstate_action()}
      kind="brand"
      busy={isPending}
      problem={problem}
      onLeave={leave}
      onSubmit={() => send({ text: note })}
    >
      <Revocation content={seen} />
      <NoteField note={note} onNote={setNote} />
    </ProofForm>
  )
}

function Revocation({ content }: { content: ServerContent }) {
  const { data: changes } = useProofChanges(content.collection_proofid)
  const { revoked_at: revokedAt, revocation_reason: reason } = content
  const revocation = changes?.findLast(({ kind }) => kind === 'revoke')
  if (revokedAt === null || reason === null) return null
  return (
    <div className="rounded-control border border-line bg-sunk px-3.5 py-2.5">
      <p className="font-[560]">{sayReason(reason)}</p>
      {revocation?.text && (
        <p className="mt-1 border-s-2 border-line-strong ps-3 whitespace-pre-line text-ink-2">
          <UserText>{revocation.text}</UserText>
        </p>
      )}
      <p className="mt-0.5 text-sm text-ink-2">
        <DateTime at={revokedAt} />
        {revocation?.by && (
          <>
            {' · '}
            <Sentence say={(name) => m.proof_revoked_by({ name })} text={revocation.by} />
          </>
        )}
      </p>
    </div>
  )
}
