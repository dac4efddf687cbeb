import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { m } from '../paraglide/messages.js'

const SHOWN_MS = 2000

/** Puts `text` on the clipboard. `label` says what of, for screen readers. */
export function CopyButton(props: { text: string; label: string; onCopied?: () => void }) {
  const { text, label, onCopied } = props
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  async function copy() {
    const isDone = await copyText(text)
    setIsCopied(isDone)
    if (isDone) onCopied?.()
  }
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={isCopied ? m.copied() : label}
      title={isCopied ? m.copied() : label}
      onClick={() => void copy()}
      className="inline-flex size-7 items-center justify-center rounded-md text-ink-2 hover:bg-sunk hover:text-ink"
    >
      <Icon aria-hidden size={15} strokeWidth={1.8} className={isCopied ? 'text-ok' : ''} />
      <output className="sr-only">{isCopied ? m.copied() : ''}</output>
    </button>
  )
}

/** Outside a secure context there is no clipboard interface; a selected text field still copies. */
async function copyText(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>
  if (!clipboard) return copyByField(text)
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

/** The field has the focus while it copies. It stands beside what had it before: a dialog lets none leave it. */
function copyByField(text: string): boolean {
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : document.body
  const field = document.createElement('textarea')
  field.value = text
  ;(before.parentElement ?? before).append(field)
  field.focus({ preventScroll: true })
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  before.focus({ preventScroll: true })
  return isCopied
}
