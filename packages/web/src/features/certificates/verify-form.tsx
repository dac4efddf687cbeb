import { readProofLink } from '@proofdesk/contract/proof-link'
import { useEffect, useLayoutEffect, useRef, type SubmitEvent } from 'react'
import { useScreenState } from '../../lib/screen-state.tsx'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'

export interface ProofFields {
  proofId: string
  username: string
}

export interface VerifyFormProps {
  /** Fragment of the address; a certificate's link carries both fields in it. */
  fragment: string
  /** Which time a link was followed here to see what is on record; undefined where it was opened from a paper or a mail. */
  lookUp: string | undefined
  /** What a printed code says stands above it on a phone, and is read first. */
  isBelowCode: boolean
  /** Also where another copy of this form has asked, which stood in another frame. */
  isVerifying: boolean
  /** The answer was that a field is empty. */
  isIncomplete: boolean
  /** The person begins to fill the form in. */
  onStart: () => void
  /** What was found out was asked of other fields than those that stand here now. */
  onEdit: () => void
  /** @returns once the answer is shown */
  onVerify: (fields: ProofFields) => Promise<void>
}

export function VerifyForm(props: VerifyFormProps) {
  const { fragment, lookUp, isBelowCode, isVerifying, isIncomplete, onStart, onEdit, onVerify } = props
  const [typed, setTyped] = useScreenState('proof-fields', () => ({ ...takeLink(fragment), lookUp }))
  const { fields, isFilled, fragment: known, lookUp: lastLookUp } = typed
  const [isRunning, run] = useBusy()
  const busy = isRunning || isVerifying
  const button = useRef<HTMLButtonElement>(null)

  // Another link may be opened while this page stands, or the same to look up anew; one without fields takes nothing away.
  useLayoutEffect(() => {
    if (fragment === known && (lookUp === undefined || lookUp === lastLookUp)) return
    const taken = takeLink(fragment)
    const hasFields = taken.fields.proofId !== '' || taken.fields.username !== ''
    setTyped(hasFields ? { ...taken, lookUp } : { ...typed, fragment, lookUp })
  }, [fragment, known, lookUp, lastLookUp, typed, setTyped])

  // The link has done the typing: what is left is to press the button.
  useEffect(() => {
    if (!isFilled) return
    if (lookUp !== undefined) return verify()
    button.current?.focus({ preventScroll: isBelowCode })
    onStart()
    // Only when a link has been opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isFilled, known, lastLookUp])

  useEffect(() => {
    const form = button.current?.form
    if (isIncomplete && form) focusFirstFault(form)
  }, [isIncomplete])

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isVerifying) verify()
  }

  function verify() {
    setTyped({ ...typed, isFilled: false })
    void run(() => onVerify(fields))
  }

  function edit(part: Partial<ProofFields>) {
    setTyped({ ...typed, fields: { ...fields, ...part } })
    onEdit()
  }

  const sayGap = (text: string) => (isIncomplete && text.trim() === '' ? m.field_required() : undefined)

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="grid gap-4">
      <TextField
        label={m.verify_proofid()}
        hint={m.verify_proofid_hint()}
        error={sayGap(fields.proofId)}
        name="proofid"
        required
        maxLength={200}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        onFocus={onStart}
        value={fields.proofId}
        onChange={({ target }) => edit({ proofId: target.value })}
        className="font-mono"
      />
      <TextField
        label={m.verify_username()}
        error={sayGap(fields.username)}
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onFocus={onStart}
        value={fields.username}
        onChange={({ target }) => edit({ username: target.value })}
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

/** What the fields hold of themselves; `isFilled`: the link has done the typing. */
function takeLink(fragment: string): { fields: ProofFields; isFilled: boolean; fragment: string } {
  const fields = readProofLink(fragment)
  return { fields, isFilled: fields.proofId.trim() !== '' && fields.username.trim() !== '', fragment }
}
