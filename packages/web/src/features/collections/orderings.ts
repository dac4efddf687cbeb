import { m } from '../../paraglide/messages.js'
import type { ListState } from './list-state.ts'

export function listOrderings(): [NonNullable<ListState['ordering']>, string][] {
  return [
    ['-created_at', m.order_newest()],
    ['created_at', m.order_oldest()],
    ['title', m.order_title()],
    ['-title', m.order_title_back()],
    ['expire_time', m.order_expires_first()],
    ['-expire_time', m.order_expires_last()],
  ]
}
