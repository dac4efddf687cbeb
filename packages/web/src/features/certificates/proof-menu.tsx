import type { ServerContent } from '@proofdesk/contract/certificates'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import { Ban, CalendarClock, RotateCcw } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { OptionsMenu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/working-menu.tsx'
import type { ChosenChange } from './late-proof-dialogs.tsx'

export interface ProofMenuProps {
  content: ServerContent
  onChoose: (chosen: ChosenChange) => void
}

/** What this person may change about a proof. */
export default function ProofMenu({ content, onChoose }: ProofMenuProps) {
  const { collection_title: title, may } = content
  const change = (kind: ProofChangeKind) => ({ onSelect: () => onChoose({ content, kind }) })
  const entries: MenuEntry[] = [
    ...(may.change_expiry ? [{ label: m.proof_change_expiry(), icon: CalendarClock, ...change('extend') }] : []),
    ...(may.reinstate ? [{ label: m.proof_reinstate(), icon: RotateCcw, ...change('reinstate') }] : []),
    ...(may.revoke ? [{ label: m.proof_revoke(), icon: Ban, danger: true, ...change('revoke') }] : []),
  ]
  return <OptionsMenu label={m.proof_options({ title })} entries={entries} />
}
