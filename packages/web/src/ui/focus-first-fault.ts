/**
 * Leads to the first field that something is wrong with, once that is drawn: its words are read out there. Not from
 * elsewhere: whoever types there when a late answer comes is left alone.
 */
export function focusFirstFault(form: HTMLFormElement): void {
  // What an answer brings is drawn a task later than what a press brings.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const at = document.activeElement
      if (at === null || form.contains(at) || at.contains(form))
        form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    }),
  )
}
