import '../app/validation.ts'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { WORKING_DRAWER } from '../app/drawer-menu.tsx'
import { forgetRegistration } from '../features/auth/registration-draft.ts'
import { WORKING_BELL } from '../features/notifications/notification-bell.tsx'
import { stopUploads } from '../lib/pending-uploads.ts'
import { endSession } from '../lib/session.ts'
import { readAsked } from '../ui/ask.ts'
import { DIALOG_WINDOW } from '../ui/dialog.tsx'
import { WORKING_MENU } from '../ui/menu.tsx'
import { TOAST_HOST } from '../ui/toasts.tsx'
import { WIDE_DIALOG_WINDOW } from '../ui/wide-dialog.tsx'

// Each file begins as in a browser that was never here: the page is that of the file before.
localStorage.clear()
for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0`

// A screen’s code is compiled when a test opens it for the first time, which a busy machine does slowly.
configure({ asyncUtilTimeout: 60_000 })

// What opens over a screen is there before the tests, as it is before anybody opens it.
const LATE = [WORKING_DRAWER, WORKING_BELL, DIALOG_WINDOW, WORKING_MENU, TOAST_HOST, WIDE_DIALOG_WINDOW]
await Promise.all(LATE.map((code) => code.load()))

afterEach(() => {
  cleanup()
  // A notice outlives the screen it was put on.
  for (let asked = readAsked(); asked; asked = readAsked()) asked.answer(false)
  endSession()
  sessionStorage.clear()
  stopUploads()
  forgetRegistration()
})

// jsdom lays nothing out and shows no file: no size ever changes, and an address of a file leads nowhere.
// Newer browsers return a promise here, although its type says nothing.
Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as void
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
URL.createObjectURL ??= () => 'blob:nowhere'
URL.revokeObjectURL ??= () => {}
