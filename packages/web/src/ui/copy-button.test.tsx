import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

/** As on a page of plain http. @returns what was copied */
function leaveSecureContext(): string[] {
  const copied: string[] = []
  const execCommand = vi.fn(() => copied.push((document.activeElement as HTMLTextAreaElement).value) > 0)
  Object.assign(document, { execCommand })
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: undefined } }))
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(document, 'execCommand')
  })
  return copied
}

test('without a secure context it copies too, and the button keeps the focus', async () => {
  const person = userEvent.setup()
  const copied = leaveSecureContext()
  render(<CopyButton text="PD-1" label="Copy the Proof ID" />)
  const button = screen.getByRole('button', { name: 'Copy the Proof ID' })
  await person.tab()
  await person.keyboard('{Enter}')
  await act(async () => {})
  expect(copied).toEqual(['PD-1'])
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-label')).toBe('Copied')
})
