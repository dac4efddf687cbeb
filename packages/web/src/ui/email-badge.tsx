import { CircleCheck, TriangleAlert } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { Badge } from './badge.tsx'

/** Whether somebody's e-mail is verified. */
export function EmailBadge({ isVerified }: { isVerified: boolean }) {
  return (
    <Badge tone={isVerified ? 'ok' : 'warn'} icon={isVerified ? CircleCheck : TriangleAlert}>
      {isVerified ? m.email_verified() : m.email_unverified()}
    </Badge>
  )
}
