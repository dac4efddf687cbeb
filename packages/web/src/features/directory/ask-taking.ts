import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { nameTaking, type Right } from './rights.ts'

/** Asks whether a right is to be taken away; says what follows from it. */
export function askTaking(right: Right, username: string): Promise<boolean> {
  const text = right === 'is_active' ? m.person_deactivate_text({ username }) : m.person_take_text({ username })
  return askConfirm({ title: m.are_you_sure(), text, action: nameTaking(right), danger: true })
}
