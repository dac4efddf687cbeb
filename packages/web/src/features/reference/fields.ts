import type { ApiDocument, Schema } from '@proofdesk/contract/openapi'

/** One line of a table of fields. */
export interface FieldRow {
  /** With the way to it: `results[].title`. */
  name: string
  /** As people write it: `integer`, `string or null`, `opened | answered`. */
  type: string
  isRequired: boolean
  description: string
}

type Shapes = ApiDocument['components']['schemas']

/** Writes a shape out flat, one row a field, named shapes in place. Shapes that hold themselves end where they begin. */
export function listFields(schema: Schema, shapes: Shapes, way = '', open: string[] = []): FieldRow[] {
  const whole = followReference(schema, shapes)
  const { properties = {}, required = [] } = whole
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = way + name
    const { inner, suffix, shapeName } = findInner(field, shapes)
    const row: FieldRow = {
      name: here,
      type: nameType(field),
      isRequired: required.includes(name),
      description: field.description ?? '',
    }
    if (!inner || (shapeName !== undefined && open.includes(shapeName))) return [row]
    const within = shapeName === undefined ? open : [...open, shapeName]
    return [row, ...listFields(inner, shapes, `${here}${suffix}.`, within)]
  })
}

function followReference(schema: Schema, shapes: Shapes): Schema {
  const name = nameReference(schema)
  return name === undefined ? schema : (shapes[name] ?? schema)
}

function nameReference(schema: Schema): string | undefined {
  const { $ref } = schema
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}

/** The object that stands in a field, in each item of its list, or in one of its choices. */
function findInner(
  field: Schema,
  shapes: Shapes,
): { inner: Schema | undefined; suffix: string; shapeName: string | undefined } {
  const shapeName = nameReference(field)
  const whole = followReference(field, shapes)
  if (whole.properties) return { inner: whole, suffix: '', shapeName }
  if (whole['items']) {
    const { inner, suffix, shapeName: itemName } = findInner(whole['items'] as Schema, shapes)
    return { inner, suffix: `[]${suffix}`, shapeName: itemName }
  }
  for (const choice of listChoices(whole)) {
    const found = findInner(choice, shapes)
    if (found.inner) return found
  }
  return { inner: undefined, suffix: '', shapeName }
}

function listChoices(schema: Schema): Schema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[]
}

/** The type in a word or two. */
export function nameType(schema: Schema): string {
  const name = nameReference(schema)
  if (name !== undefined) return name
  const choices = listChoices(schema).filter(({ const: only }) => only !== '')
  if (choices.length > 0) return [...new Set(choices.map((choice) => nameType(choice)))].join(' or ')
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(' | ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const types = [schema.type ?? 'any'].flat()
  if (types.includes('array')) return `list of ${nameType((schema['items'] ?? {}) as Schema)}`
  if (schema['contentMediaType'] !== undefined) return 'file'
  const format = typeof schema['format'] === 'string' && schema['format'] !== 'password' ? ` (${schema['format']})` : ''
  return `${types.join(' or ')}${format}`
}
