import { useParams } from 'react-router'
import { NewPassword } from '../../features/auth/new-password-form.tsx'
import { OnceKnown } from '../once-known.tsx'

export default function ResetPasswordPage() {
  const { token = '' } = useParams()
  return (
    <OnceKnown>
      <NewPassword key={token} token={token} />
    </OnceKnown>
  )
}
