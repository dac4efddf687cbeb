import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '../../paraglide/messages.js'
import { readLastList } from './last-list.ts'

/** The way back to the list, with the filter, search and page it was left with. It takes little of the desk's height. */
export function CollectionsLink() {
  return (
    <Link
      to={readLastList()}
      className="-mt-3.5 -mb-2.5 inline-flex min-h-6 items-center gap-1 justify-self-start text-sm text-ink-2 no-underline hover:text-brand print:hidden"
    >
      <ChevronLeft aria-hidden size={15} className="rtl:rotate-180" />
      {m.collections_back()}
    </Link>
  )
}
