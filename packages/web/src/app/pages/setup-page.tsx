import { useParams } from 'react-router'
import { SetupForm } from '../../features/auth/setup-form.tsx'
import { m } from '../../paraglide/messages.js'
import { FormSheet } from '../../ui/form-sheet.tsx'

export default function SetupPage() {
  const { token = '' } = useParams()
  return (
    <FormSheet title={m.setup_title()} lead={m.setup_lead()}>
      <SetupForm token={token} />
    </FormSheet>
  )
}
