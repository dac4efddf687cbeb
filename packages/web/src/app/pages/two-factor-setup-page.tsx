import { TwoFactorSetup } from '../../features/two-factor/two-factor-setup.tsx'

export default function TwoFactorSetupPage() {
  return <TwoFactorSetup />
}
