/** Says for 5 seconds, top right, that something was done. The library loads with the first toast. */
export function showToast(text: string, kind: 'success' | 'error' = 'success'): void {
  void import('react-toastify/unstyled').then(({ toast }) => toast[kind](text))
}
