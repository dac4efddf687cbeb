import { readProofLink } from '@proofdesk/contract/proof-link'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

export interface ProofFields {
  proofId: string
  username: string
}

export interface VerifyFormProps {
  /** Fragment of the address; a certificate's link carries both fields in it. */
  fragment: string
  /** What a printed code says stands above it on a phone, and is read first. */
  isBelowCode: boolean
  /** The person begins to fill the form in. */
  onStart: () => void
  /** @returns once the answer is shown */
  onVerify: (fields: ProofFields) => Promise<void>
}

export function VerifyForm({ fragment, isBelowCode, onStart, onVerify }: VerifyFormProps) {
  const [fields, setFields] = useState<ProofFields>(() => readProofLink(fragment))
  const [busy, run] = useBusy()
  const [isFilled, setIsFilled] = useState(() => isComplete(fields))
  const button = useRef<HTMLButtonElement>(null)

  // Another link may be opened while this page stands; one without fields takes nothing away.
  const [known, setKnown] = useState(fragment)
  if (fragment !== known) {
    setKnown(fragment)
    const given = readProofLink(fragment)
    if (given.proofId || given.username) {
      setFields(given)
      setIsFilled(isComplete(given))
    }
  }

  // The link has done the typing: what is left is to press the button.
  useEffect(() => {
    if (!isFilled) return
    button.current?.focus({ preventScroll: isBelowCode })
    onStart()
    // Only when a link has been opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isFilled, known])

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsFilled(false)
    void run(() => onVerify(fields))
  }

  return (
    <form onSubmit={handleSubmit} aria-busy={busy} className="grid gap-4">
      <TextField
        label={m.verify_proofid()}
        hint={m.verify_proofid_hint()}
        name="proofid"
        required
        maxLength={200}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        onFocus={onStart}
        value={fields.proofId}
        onChange={({ target }) => setFields({ ...fields, proofId: target.value })}
        className="font-mono"
      />
      <TextField
        label={m.verify_username()}
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onFocus={onStart}
        value={fields.username}
        onChange={({ target }) => setFields({ ...fields, username: target.value })}
      />
      {isFilled && (
        <p id="link-filled" className="rounded-control bg-brand-wash px-3.5 py-2.5">
          {m.verify_link_filled()}
        </p>
      )}
      <Button
        ref={button}
        type="submit"
        kind="brand"
        busy={busy}
        aria-describedby={isFilled ? 'link-filled' : undefined}
        className="min-h-11"
      >
        {busy ? m.verify_busy() : m.verify_action()}
      </Button>
    </form>
  )
}

function isComplete({ proofId, username }: ProofFields): boolean {
  return proofId.trim() !== '' && username.trim() !== ''
}
