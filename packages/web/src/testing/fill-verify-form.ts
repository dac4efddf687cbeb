import { screen } from '@testing-library/react'
import type { openApp } from './open-app.tsx'

/** Types both fields on the verification page, in the place of what stood there, and asks. */
export async function fillVerifyForm(person: ReturnType<typeof openApp>, proofId: string, username: string) {
  const [id, name] = [await screen.findByLabelText('Proof ID'), screen.getByLabelText('Username')]
  await person.clear(id)
  await person.clear(name)
  await person.type(id, proofId)
  await person.type(name, username)
  await person.click(screen.getByRole('button', { name: 'Verify Document' }))
}
