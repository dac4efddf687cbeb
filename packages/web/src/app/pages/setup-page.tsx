import { useParams } from 'react-router'
import { SetUp } from '../../features/auth/setup-form.tsx'

export default function SetupPage() {
  const { token = '' } = useParams()
  return <SetUp key={token} token={token} />
}
