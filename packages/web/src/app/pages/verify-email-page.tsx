import { useParams } from 'react-router'
import { VerifyEmail } from '../../features/account/verify-email.tsx'

export default function VerifyEmailPage() {
  const { token = '' } = useParams()
  return <VerifyEmail key={token} token={token} />
}
