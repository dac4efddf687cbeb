import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import { Pager } from './pager.tsx'

export interface ListPagerProps {
  /** Counts from 1. */
  page: number
  /** How many rows there are on all pages. */
  count: number
  onPage: (page: number) => void
}

/** The pager below a table of a list; not to be seen while its first rows are coming. */
export function ListPager({ page, count, onPage }: ListPagerProps) {
  return (
    <div className="border-t border-line p-3 peer-has-[[data-coming]]:invisible">
      <Pager page={page} pages={totalPages(count, PAGE_SIZE)} onPage={onPage} />
    </div>
  )
}
