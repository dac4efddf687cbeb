import { useParams } from 'react-router'
import { VerifyEmail } from '../../features/account/verify-email.tsx'
import { useSession } from '../../lib/session.ts'
import { LoadingArea } from '../../ui/spinner.tsx'

export default function VerifyEmailPage() {
  const { token = '' } = useParams()
  // The frame of whoever is signed in would make the screen anew, and what became of the link would be lost.
  if (useSession().phase === 'checking') return <LoadingArea />
  return <VerifyEmail key={token} token={token} />
}
