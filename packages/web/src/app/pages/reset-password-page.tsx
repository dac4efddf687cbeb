import { useParams } from 'react-router'
import { NewPassword } from '../../features/auth/new-password-form.tsx'
import { useSession } from '../../lib/session.ts'
import { LoadingArea } from '../../ui/spinner.tsx'

export default function ResetPasswordPage() {
  const { token = '' } = useParams()
  // The frame of whoever is signed in would make the screen anew, and what became of the link would be lost.
  if (useSession().phase === 'checking') return <LoadingArea />
  return <NewPassword key={token} token={token} />
}
