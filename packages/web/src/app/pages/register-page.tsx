import { PageHeading } from '../../ui/page-heading.tsx'

export default function RegisterPage() {
  return <PageHeading title="Proofdesk" />
}
