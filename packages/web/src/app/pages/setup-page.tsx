import { PageHeading } from '../../ui/page-heading.tsx'

export default function SetupPage() {
  return <PageHeading title="Proofdesk" />
}
