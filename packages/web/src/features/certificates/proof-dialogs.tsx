import type { ServerContent } from '@proofdesk/contract/certificates'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Dialog } from '../../ui/dialog.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { ExpiryForm } from './expiry-form.tsx'
import { ReinstateForm } from './reinstate-form.tsx'
import { RevokeForm } from './revoke-form.tsx'
import { useProofForm, type ProofFormProps } from './use-proof-form.ts'

interface Parts {
  title: () => string
  text: (values: { title: string }) => string
  done: () => string
  Form: (props: ProofFormProps) => ReactNode
}

const DIALOGS: Record<ProofChangeKind, Parts> = {
  revoke: { title: m.proof_revoke_title, text: m.proof_revoke_text, done: m.proof_revoked_done, Form: RevokeForm },
  reinstate: {
    title: m.proof_reinstate_title,
    text: m.proof_reinstate_text,
    done: m.proof_reinstated_done,
    Form: ReinstateForm,
  },
  extend: { title: m.proof_expiry_title, text: m.proof_expiry_text, done: m.proof_expiry_done, Form: ExpiryForm },
}

export interface ProofDialogsProps {
  content: ServerContent
  opened: ProofChangeKind
  onClose: () => void
}

/** The dialog of one change to a proof. */
export default function ProofDialogs({ content, opened, onClose }: ProofDialogsProps) {
  const { title, text, done, Form } = DIALOGS[opened]
  const form = useProofForm({ content, kind: opened, done, onClose })
  return (
    <Dialog
      open
      onClose={form.leave}
      title={title()}
      description={<Sentence say={(place) => text({ title: place })} text={content.collection_title} />}
    >
      <Form {...form} />
    </Dialog>
  )
}
