import { useParams } from 'react-router'
import { VerifyEmail } from '../../features/account/verify-email.tsx'
import { OnceKnown } from '../once-known.tsx'

export default function VerifyEmailPage() {
  const { token = '' } = useParams()
  return (
    <OnceKnown>
      <VerifyEmail key={token} token={token} />
    </OnceKnown>
  )
}
