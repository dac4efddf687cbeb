import { PageHeading } from '../../ui/page-heading.tsx'

export default function LandingPage() {
  return <PageHeading title="Proofdesk" />
}
