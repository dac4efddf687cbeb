/** Leads to the button of a ticket in the list, where it stands there: what was open of it is closed. */
export function focusTicket(id: number): void {
  document.querySelector<HTMLElement>(`[data-ticket="${id}"]`)?.focus()
}
