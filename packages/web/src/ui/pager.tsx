import { ChevronLeft, ChevronRight } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'

/** `page` counts from 1. */
export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <nav aria-label={m.pager_label()} className="flex items-center justify-between gap-3">
      <Button aria-disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden size={16} className="rtl:rotate-180" />
        {m.pager_previous()}
      </Button>
      <p aria-live="polite" className="text-sm">
        {m.pager_place({ page, pages })}
      </p>
      <Button aria-disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {m.pager_next()}
        <ChevronRight aria-hidden size={16} className="rtl:rotate-180" />
      </Button>
    </nav>
  )
}
