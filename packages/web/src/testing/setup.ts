import '../app/validation.ts'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { dropUploads } from '../features/contents/upload-queue.ts'
import { endSession } from '../lib/session.ts'
import { readAsked } from '../ui/ask.ts'

// A screen's code is compiled when a test opens it for the first time.
configure({ asyncUtilTimeout: 8_000 })

afterEach(() => {
  cleanup()
  // A notice outlives the screen it was put on.
  for (let asked = readAsked(); asked; asked = readAsked()) asked.answer(false)
  endSession()
  dropUploads()
})

// jsdom lays nothing out and shows no file: no size ever changes, and an address of a file leads nowhere.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
URL.createObjectURL ??= () => 'blob:nowhere'
URL.revokeObjectURL ??= () => {}
