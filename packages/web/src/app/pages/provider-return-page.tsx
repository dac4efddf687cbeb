import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { passHandover, readHandover } from '../../lib/provider-address.ts'
import { m } from '../../paraglide/messages.js'
import { FormSheet } from '../../ui/form-sheet.tsx'

/** In a window of its own: hands the provider's answer to the screen that asked, and closes where browsers let it. */
export default function ProviderReturnPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const handover = readHandover(hash)
    if (!handover) return
    void navigate({ hash: '' }, { replace: true })
    passHandover(handover)
    window.close()
  }, [hash, navigate])
  return (
    <FormSheet title={m.provider_return_title()}>
      <p className="text-ink-2">{m.provider_return_text()}</p>
    </FormSheet>
  )
}
