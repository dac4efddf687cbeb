/** Leads to the heading of the screen: where to go on when what had the focus is gone for good. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus()
}
