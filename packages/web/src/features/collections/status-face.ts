import type { CollectionStatus } from '@proofdesk/contract/status'
import { BadgeCheck, CalendarX2, FolderOpen, Hourglass, MessageSquareWarning, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import type { Tone } from '../../ui/tone.ts'

export interface StatusFace {
  icon: LucideIcon
  tone: Tone
  word: string
}

const LOOKS: Record<CollectionStatus, Omit<StatusFace, 'word'>> = {
  opened: { icon: FolderOpen, tone: 'brand' },
  in_progress: { icon: Hourglass, tone: 'warn' },
  answered: { icon: MessageSquareWarning, tone: 'seal' },
  approved: { icon: BadgeCheck, tone: 'ok' },
  expired: { icon: CalendarX2, tone: 'muted' },
}

/** Icon, colour and word of a status, the same wherever it is shown. */
export function faceOf(status: CollectionStatus): StatusFace {
  const words: Record<CollectionStatus, string> = {
    opened: m.status_opened(),
    in_progress: m.status_in_progress(),
    answered: m.status_answered(),
    approved: m.status_approved(),
    expired: m.status_expired(),
  }
  return { ...LOOKS[status], word: words[status] }
}
