import { Registration } from '@proofdesk/contract/auth'
import { isDayToCome, say } from '@proofdesk/contract/fields'
import { z } from 'zod'

/** What the form holds: the call's fields and the password once more. All that is faulty is told at once. */
export const RegistrationForm = Registration.extend({ confirm_password: z.string().min(1, say('field_required')) })
  .refine(({ password, confirm_password }) => password === confirm_password, {
    path: ['confirm_password'],
    message: say('passwords_do_not_match'),
    when: () => true,
  })
  .refine(({ birthdate }) => !isDayToCome(birthdate, Date.now()), {
    path: ['birthdate'],
    message: say('birthdate_invalid'),
    when: () => true,
  })

export const NO_REGISTRATION: z.input<typeof RegistrationForm> = {
  first_name: '',
  last_name: '',
  email: '',
  username: '',
  password: '',
  confirm_password: '',
  phone_number: '',
  birthdate: '',
}

export const REGISTRATION_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'username',
  'password',
  'phone_number',
  'birthdate',
] as const

/** The fields as the call takes them. */
export function withoutRepetition(fields: z.output<typeof RegistrationForm>): z.output<typeof Registration> {
  const { email, first_name, last_name, username, password, phone_number, birthdate } = fields
  return { email, first_name, last_name, username, password, phone_number, birthdate }
}
