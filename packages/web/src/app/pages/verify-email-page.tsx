import { PageHeading } from '../../ui/page-heading.tsx'

export default function VerifyEmailPage() {
  return <PageHeading title="Proofdesk" />
}
