import type { SearchPageOf } from '@proofdesk/contract/paging'
import { m } from '../paraglide/messages.js'

/** How many rows a list holds; blank until that is known. */
export function FoundCount({ page }: { page: SearchPageOf<unknown> | undefined }) {
  const say = page?.count_capped ? m.found_more : m.found_count
  return (
    <output className="ms-auto min-h-5 min-w-16 text-end text-sm text-ink-2 tabular-nums">
      {page && say({ count: page.count })}
    </output>
  )
}
