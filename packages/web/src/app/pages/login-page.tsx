import { PageHeading } from '../../ui/page-heading.tsx'

export default function LoginPage() {
  return <PageHeading title="Proofdesk" />
}
