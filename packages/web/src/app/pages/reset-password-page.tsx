import { useParams } from 'react-router'
import { NewPassword } from '../../features/auth/new-password-form.tsx'

export default function ResetPasswordPage() {
  const { token = '' } = useParams()
  return <NewPassword key={token} token={token} />
}
