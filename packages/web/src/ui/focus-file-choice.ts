/** Leads to the button of `FilesField`: where to go on when what had the focus is gone. */
export function focusFileChoice(): void {
  document.querySelector<HTMLElement>('[data-choose-files]')?.focus()
}
