import type { ApiDocument } from '@proofdesk/contract/openapi'
import { showApiDocument } from '@proofdesk/contract/reference'
import { API_BASE } from '@proofdesk/contract/route'
import { Download } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { CallEntry } from './call-entry.tsx'
import { groupCalls, searchCalls } from './calls.ts'
import { Marked } from './marked.tsx'

/** The whole document for people: searched by word, each call opening in place. */
export function ApiReference({ document, target }: { document: ApiDocument; target: string }) {
  const [address, setAddress] = useSearchParams()
  const search = useCallback(
    (words: string) => setAddress(words ? { search: words } : {}, { replace: true, preventScrollReset: true }),
    [setAddress],
  )
  const [text, setText] = useSearchText(address.get('search') ?? '', search)
  const groups = useMemo(() => groupCalls(document), [document])
  const shown = useMemo(() => searchCalls(groups, text, target), [groups, text, target])
  const count = shown.reduce((sum, { calls }) => sum + calls.length, 0)

  useEffect(() => {
    // The browser looked for the place before the document was there.
    if (target) window.document.getElementById(target)?.scrollIntoView({ block: 'start' })
  }, [target])

  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label={m.api_groups()} className="max-lg:hidden">
        <ul className="sticky top-20 grid gap-0.5">
          {shown.map(({ title }) => (
            <li key={title}>
              <a
                href={`#${toAnchor(title)}`}
                className="block rounded-md px-2.5 py-1.5 text-ink-2 no-underline hover:bg-sunk hover:text-ink"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 content-start gap-8">
        <div className="grid max-w-3xl gap-3 text-ink-2">
          {document.info.description.split('\n\n').map((paragraph) => (
            <p key={paragraph}>
              <Marked text={paragraph} />
            </p>
          ))}
          <p>
            <a
              href={`${API_BASE}${showApiDocument.path}`}
              download
              className="inline-flex items-center gap-2 font-[560] text-brand underline underline-offset-3 hover:decoration-2"
            >
              <Download aria-hidden size={16} />
              {m.api_download()}
            </a>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SearchBox label={m.api_search()} text={text} onText={setText} />
          <output className="text-ink-2">{m.api_count({ count })}</output>
        </div>
        {shown.map(({ title, about, calls }) => (
          <section key={title} aria-labelledby={toAnchor(title)}>
            <h2 id={toAnchor(title)} className="scroll-mt-20 font-serif text-[1.4rem] font-semibold">
              {title}
            </h2>
            <p className="mb-3 text-ink-2">{about}</p>
            <div className="sheet overflow-hidden">
              {calls.map((call) => (
                <CallEntry
                  key={call.operation.operationId}
                  call={call}
                  document={document}
                  isTarget={call.operation.operationId === target}
                />
              ))}
            </div>
          </section>
        ))}
        {shown.length === 0 && <EmptyState title={m.api_nothing()} />}
      </div>
    </div>
  )
}

function toAnchor(title: string): string {
  return `calls-${title.toLowerCase().replace(/\W+/g, '-')}`
}
