import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { setUserFlag } from './directory.ts'
import { createCollection } from './collections.ts'
import { isMessageKey, sayIssue } from './messages.ts'
import { nameRoute, ROUTES } from './routes.ts'

/** What no call can make sense of in any place, beside what one field or another takes. */
const ODD: unknown[] = [undefined, null, true, 5, 1.5, -1, 2 ** 60, '', 'x', '\u0000', 'x'.repeat(5000), [], ['a'], {}]

/** The fields of a part of a call, also behind what refines or changes it. */
function listFields(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

/** Every message with which a part may be refused. */
function listMessages(schema: z.ZodType): string[] {
  const fields = listFields(schema)
  const odd = ODD.map((value) => Object.fromEntries(fields.map((field) => [field, value])))
  const single = fields.flatMap((field) => ODD.map((value) => ({ [field]: value })))
  return [...ODD, ...odd, ...single, { unheard_of: 1 }].flatMap((value) =>
    (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message),
  )
}

test('whatever a call is sent, it is refused in words of ours', () => {
  const parts = ROUTES.flatMap(({ route }) =>
    [route.query, route.body].flatMap((schema) => (schema ? [{ name: nameRoute(route), schema }] : [])),
  )
  assert.ok(parts.length > 30)
  const foreign = parts.flatMap(({ name, schema }) =>
    listMessages(schema).flatMap((message) => (isMessageKey(message) ? [] : [`${name}: ${message}`])),
  )
  assert.deepEqual([...new Set(foreign)], [])
})

test('a field that is missing is said to be required, one of another kind what it should be', () => {
  const schema = z.object({ text: z.string(), count: z.number(), flag: z.boolean(), list: z.array(z.string()) })
  const keysOf = (value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)
  assert.deepEqual(keysOf({}), ['field_required', 'field_required', 'field_required', 'field_required'])
  assert.deepEqual(keysOf({ text: 1, count: 'x', flag: 'x', list: 'x' }), [
    'text_expected',
    'number_expected',
    'flag_invalid',
    'value_invalid',
  ])
  assert.deepEqual(keysOf('x'), ['body_expected'])
})

test('5.13 a collection without a title is refused in the words of the specification', () => {
  for (const body of [{}, { title: null }, { title: '' }, { title: '  ' }])
    assert.deepEqual(
      createCollection.body.safeParse(body).error?.issues.map(({ message }) => sayIssue(message)),
      ['Collection title is required.'],
    )
})

test('a field that is no flag is refused once', () => {
  const refuse = (body: object) => setUserFlag.body.safeParse(body).error?.issues.map(({ message }) => message)
  assert.deepEqual(refuse({ is_owner: true }), ['user_one_field'])
})

test('words that are none of ours never reach anybody', () => {
  assert.equal(sayIssue('Invalid input: expected string, received undefined'), 'Please check what you entered.')
})

test('a field too many is said to be unknown, any other fault that the value is not valid', () => {
  const schema = z.strictObject({ word: z.enum(['a', 'b']).optional(), list: z.array(z.int()).max(1).optional() })
  const keysOf = (value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)
  assert.deepEqual(keysOf({ other: 1 }), ['field_unknown'])
  assert.deepEqual(keysOf({ word: 'c' }), ['value_invalid'])
  assert.deepEqual(keysOf({ list: [1, 2] }), ['value_invalid'])
  assert.deepEqual(keysOf({ list: [null] }), ['field_required'])
})
