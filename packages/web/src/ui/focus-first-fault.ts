/** Leads to the first field that something is wrong with, once that is drawn: its words are read out there. */
export function focusFirstFault(form: HTMLFormElement): void {
  // What an answer brings is drawn a task later than what a press brings.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()),
  )
}
