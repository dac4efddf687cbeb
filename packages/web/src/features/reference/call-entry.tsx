import type { ApiDocument } from '@proofdesk/contract/openapi'
import { ChevronRight, LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { CallDetails, nameCall } from './call-details.tsx'
import { tokenUseOf, type ReferenceCall } from './calls.ts'
import { Marked } from './marked.tsx'

const METHOD_TONE: Record<string, string> = {
  get: 'bg-brand-wash text-brand',
  post: 'bg-ok-wash text-ok',
  patch: 'bg-warn-wash text-warn',
  delete: 'bg-seal-wash text-seal',
}

export interface CallEntryProps {
  call: ReferenceCall
  document: ApiDocument
  /** Its link was followed last, which opens it. */
  isTarget: boolean
}

/** One call: a line that opens. What is inside is made when it opens for the first time. */
export function CallEntry({ call, document, isTarget }: CallEntryProps) {
  const [isOpen, setIsOpen] = useState(isTarget)
  const [wasTarget, setWasTarget] = useState(isTarget)
  if (wasTarget !== isTarget) {
    setWasTarget(isTarget)
    if (isTarget) setIsOpen(true)
  }
  const { method, path, operation } = call
  return (
    <details
      id={operation.operationId}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group border-b border-line last:border-b-0"
    >
      <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-sunk sm:px-5 [&::-webkit-details-marker]:hidden">
        <span
          className={`min-w-16 rounded-md px-2 py-0.5 text-center font-mono text-xs font-semibold ${METHOD_TONE[method] ?? ''}`}
        >
          {method.toUpperCase()}
        </span>
        <h3 className="font-mono text-[0.93rem] font-semibold wrap-anywhere">
          <span className="sr-only">{nameCall(call)}</span>
          <span aria-hidden>{path}</span>
        </h3>
        <span className="flex items-center gap-2 text-ink-2">
          <TokenMark use={tokenUseOf(operation)} />
          <ChevronRight aria-hidden size={17} className="transition-transform group-open:rotate-90 rtl:-scale-x-100" />
        </span>
        <span className="col-span-full text-ink-2 sm:col-span-2 sm:col-start-2">
          <Marked text={operation.summary} />
        </span>
      </summary>
      {isOpen && <CallDetails call={call} document={document} />}
    </details>
  )
}

/** A lock where an access token is demanded, an open one where it is optional. */
function TokenMark({ use }: { use: ReturnType<typeof tokenUseOf> }) {
  if (use === 'none') return null
  const [Icon, word] = use === 'demanded' ? [LockKeyhole, m.api_needs_token()] : [LockKeyholeOpen, m.api_takes_token()]
  return (
    <span title={word}>
      <Icon aria-hidden size={15} strokeWidth={1.8} />
      <span className="sr-only">{word}</span>
    </span>
  )
}
