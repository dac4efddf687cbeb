import { z } from 'zod'
import { sayMissing } from './issue-words.ts'
import type { MessageKey } from './messages.ts'
import { hasNoLooseMarks, hasOneScript, hasUsernameCharacters } from './username-rules.ts'
import {
  EMAIL_MAX_LENGTH,
  NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PASSWORD_SPECIAL_CHARACTERS,
  PHONE_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
} from './limits.ts'

/** Makes sure that a validation message is a key of the catalogue. */
export const say = (key: MessageKey): MessageKey => key

/** For a field that a schema lets be left out, and the call then refuses in words of its own: examples give it. */
export const DEMANDED = { 'x-demanded': true }

/** What PostgreSQL cannot store in text and no person types. */
// oxlint-disable-next-line no-control-regex
const withoutNul = (text: string) => !/[\u0000]/.test(text)
const wellFormed = (text: string) => text.isWellFormed()

/** Text that is only compared, as it stands: well-formed Unicode without NUL. */
export const exactText = z
  .string({ error: sayMissing('field_required', 'text_expected') })
  .refine((text) => withoutNul(text) && wellFormed(text), say('text_malformed'))

const readTyped = (missing: MessageKey) =>
  z
    .string({ error: sayMissing(missing, 'text_expected') })
    .refine((text) => withoutNul(text) && wellFormed(text), say('text_malformed'))
    .trim()

/** Any text a person types: well-formed Unicode without NUL, trimmed. */
export const typedText = readTyped('field_required')

/** Anything that leaves a mark: no space, no line end, and nothing that has no width. The empty braille cell is a symbol. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

/** Whether text shows nothing at all; a title of it could not even be pressed. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

/** The same, which may not be left out, null or blank. @param missing What is said where it is. */
export const filledText = (missing: MessageKey) => readTyped(missing).refine((text) => !isBlank(text), missing)

/**
 * Line ends, control characters, and what has the rest of a line read in another order, so that one title shows as another.
 * U+200E, U+200F and U+061C turn only what has no direction of its own, and keyboards of right-to-left scripts have them.
 */
// oxlint-disable-next-line no-control-regex
const NOT_ON_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** Whether text can be shown on one line of a list, as it reads. */
export const isOneLine = (text: string): boolean => !NOT_ON_A_LINE.test(text)

/** What a person types that is shown in lists and subjects, and that may not be missing or blank: one line. */
export const filledLine = (missing: MessageKey) => filledText(missing).refine(isOneLine, say('text_one_line'))

/** An id in a path or body: an integer from 1 to 2^53-1. */
const idError = sayMissing('field_required', 'id_invalid')
export const Id = z.int({ error: idError }).min(1, { error: idError }).max(Number.MAX_SAFE_INTEGER, { error: idError })
const idText = z
  .string({ error: idError })
  .regex(/^[1-9]\d{0,15}$/, say('id_invalid'))
  .transform(Number)
  .refine((n) => Number.isSafeInteger(n), say('id_invalid'))
  // What a caller sees is a number; that it comes as text is the way of addresses and forms.
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, pattern: undefined })

/** `:id` in a path; anything that is not an id is answered as 404, since nothing stands there. */
export const IdParams = z.object({ id: idText })
/** An id in a query; anything else is answered as 400. */
export const IdQuery = idText

/** `true` or `false` in a query; anything else is 400. */
export const FlagQuery = z
  .enum(['true', 'false'], { error: say('flag_invalid') })
  .transform((text) => text === 'true')
  .meta({ type: 'boolean', enum: undefined })

/** A time as the API shows it: ISO 8601 in UTC. */
export const Time = z.iso.datetime().meta({ examples: ['2027-01-31T18:00:00.000Z'] })

/** The name of a new account. What it may look like beside those that are there, the server judges. */
export const Username = typedText
  .overwrite((text) => text.normalize('NFKC'))
  .refine((text) => text.length > 0, say('field_required'))
  .refine((text) => text.length <= USERNAME_MAX_LENGTH, say('username_too_long'))
  // Only the first of these is told. None aborts: that would keep a form from judging its other fields.
  .refine(hasUsernameCharacters, say('username_characters'))
  .refine((text) => !hasUsernameCharacters(text) || hasOneScript(text), say('username_one_script'))
  .refine((text) => !hasUsernameCharacters(text) || !hasOneScript(text) || hasNoLooseMarks(text), say('username_marks'))
  .meta({
    description: 'Letters of one script, digits and @ . + - _; unique whatever its case and what it looks like.',
    minLength: 1,
    maxLength: USERNAME_MAX_LENGTH,
    examples: ['ada'],
  })

const readEmail = (isRight: (text: string) => boolean) =>
  typedText
    .overwrite((text) => text.normalize('NFC'))
    .refine((text) => text.length > 0, say('field_required'))
    .refine((text) => text.length <= EMAIL_MAX_LENGTH, say('email_invalid'))
    .refine((text) => text === '' || isRight(text), say('email_invalid'))
    .meta({ minLength: 1, maxLength: EMAIL_MAX_LENGTH, examples: ['ada@example.org'] })

/** What shows as nothing, so that two addresses look alike. Domains that have a joiner can be written in ASCII. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u

/** An address that is kept, and shown to those who trust what they read. */
export const Email = readEmail((text) => isEmail(text) && isOneLine(text) && !HIDDEN.test(text))

/** One that is only looked for: it may have been kept before the rule above was as strict. */
export const GivenEmail = readEmail(isEmail)

/** Lenient on purpose: the mail that arrives is the proof. No spaces, one @, a dot-free local host is allowed. */
function isEmail(text: string): boolean {
  return /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+$/.test(text) && !text.includes('..')
}

export const Name = filledLine('field_required')
  .refine((text) => text.length <= NAME_MAX_LENGTH, say('name_too_long'))
  .meta({ minLength: 1, maxLength: NAME_MAX_LENGTH, examples: ['Ada'] })

/** Phone numbers are kept as typed; only what is plainly none is refused. */
export const PhoneNumber = typedText
  .refine((text) => text.length > 0, say('field_required'))
  .refine(
    (text) =>
      (text.length <= PHONE_MAX_LENGTH && /^[\p{Nd}\p{Zs}()+\-./#*,;ext]*$/iu.test(text) && /\p{Nd}/u.test(text)) ||
      text === '',
    say('phone_invalid'),
  )
  .meta({ minLength: 1, maxLength: PHONE_MAX_LENGTH, examples: ['+44 20 7946 0000'] })

/** A day without time, `YYYY-MM-DD`, not in the future; null, missing or '' mean none. */
export const Birthdate = z
  .union(
    [
      z.literal('').transform(() => null),
      z.null(),
      z.iso.date({ error: say('birthdate_invalid') }).meta({ examples: ['1990-05-17'] }),
    ],
    {
      error: say('birthdate_invalid'),
    },
  )
  .optional()
  .transform((day) => day ?? null)
  // Last: in a union with other fields' shapes a refusal before a change of the value is lost among those of the others.
  .refine((day) => day === null || day >= '1850-01-01', say('birthdate_invalid'))
  .meta({ description: 'A day, not in the future; null, missing or empty for none.' })

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Whether a birthdate is of a day to come; tomorrow in UTC is already today somewhere.
 * @param now in milliseconds since 1970-01-01 UTC
 */
export const isDayToCome = (day: string | null | undefined, now: number): boolean =>
  typeof day === 'string' && Date.parse(day) > now + DAY_MS

/** A field of a form that may be left empty: null and '' are none, missing leaves what is there. */
export const orEmpty = <T extends z.ZodType<string, string>>(field: T) =>
  z
    .union([z.null(), typedText.transform((text) => text || null).pipe(field.nullable())], {
      error: say('text_malformed'),
    })
    .optional()

/** The rule of specification section 5, in its words. */
export const NewPassword = z
  .string({ error: say('field_required') })
  .refine((text) => text.length <= PASSWORD_MAX_LENGTH, say('password_too_long'))
  .refine(isStrongPassword, say('password_rule'))
  .meta({
    format: 'password',
    description: `An upper-case letter, a digit and one of ${PASSWORD_SPECIAL_CHARACTERS} at least.`,
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
    examples: ['Str0ng!pass'],
  })

function isStrongPassword(text: string): boolean {
  return [...text].length >= PASSWORD_MIN_LENGTH && /[A-Z]/.test(text) && /\d/.test(text) && /[!@#$%^&*]/.test(text)
}

/** A password that is only compared, never judged. */
export const GivenPassword = z
  .string({ error: say('field_required') })
  .min(1, say('field_required'))
  .max(PASSWORD_MAX_LENGTH, say('password_too_long'))
  .meta({ format: 'password', examples: ['Str0ng!pass'] })

/** An opaque one: base64url without padding; 32 bytes make 43 characters. */
export const TOKEN = { examples: ['6bX0mJ1hT4mYw8q2kVn5sR7uZc9eLfGd3aPiOxWtEyM'] }

export const Token = z
  .string({ error: say('field_required') })
  .min(1, say('field_required'))
  .max(200, say('token_invalid'))
  .meta(TOKEN)

/** What a file is, by its bytes. */
export const DocumentType = z.enum(['PDF', 'JPEG', 'PNG'])
export type DocumentType = z.infer<typeof DocumentType>
