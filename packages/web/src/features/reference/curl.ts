import type { Operation, Schema } from '@proofdesk/contract/openapi'
import { tokenUseOf } from './calls.ts'

/** A command line for one call that can be pasted into a shell; `$ACCESS` stands for the caller's access token. */
export function writeCurl(address: string, method: string, path: string, operation: Operation): string {
  const { parameters, requestBody } = operation
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      String(exampleOf(parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {})),
    ),
  )
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || isDemanded(one.schema)))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema)))}`)
  const json = requestBody?.content['application/json']?.schema
  const form = requestBody?.content['multipart/form-data']?.schema
  const sendsBody = form !== undefined || (json !== undefined && requestBody?.required === true)
  // What curl does by itself is left out.
  const saysMethod = method !== 'get' && !(method === 'post' && sendsBody)
  const target = quote(`${address}${place}${query.length ? `?${query.join('&')}` : ''}`)
  const words = [`curl ${saysMethod ? `-X ${method.toUpperCase()} ` : ''}${target}`]
  // Where it may be left out, what is asked about would be nobody's.
  if (tokenUseOf(operation) !== 'none') words.push('-H "Authorization: Bearer $ACCESS"')
  if (json && requestBody?.required) {
    words.push("-H 'Content-Type: application/json'")
    words.push(`-d ${quote(JSON.stringify(exampleOf(json)))}`)
  }
  for (const [name, field] of listNeeded(form ?? {})) {
    const isFile = field['contentMediaType'] !== undefined
    words.push(`-F ${quote(isFile ? `${name}=@document.pdf` : `${name}=${String(exampleOf(field))}`)}`)
  }
  if (operation.responses['200']?.content?.['text/event-stream']) words.push('-N')
  // A refusal is no file: without -f curl would try to save it, and tell of that alone.
  else if (answersWithFile(operation)) words.push('-f -OJ')
  return words.join(' \\\n  ')
}

/** Whether a success is a file rather than JSON with fields or nothing. */
export function answersWithFile({ responses }: Operation): boolean {
  const { 'application/json': json, ...others } = responses['200']?.content ?? {}
  return Object.keys(others).length > 0 && Object.keys(json?.schema ?? {}).length === 0
}

/** A value a schema allows: its own example where it has one, and of an object what it must have. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema['default'] !== undefined) return schema['default']
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (schema.properties) return Object.fromEntries(listNeeded(schema).map(([name, field]) => [name, exampleOf(field)]))
  if (Array.isArray(schema['anyOf']))
    return exampleOf((schema['anyOf'] as Schema[]).findLast(({ type }) => type !== 'null') ?? {})
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return schema['minimum'] ?? 1
  if (schema.type === 'boolean') return true
  return 'text'
}

/** What must be there, or of what all may be left out the first. */
function listNeeded({ properties = {}, required = [] }: Schema): [string, Schema][] {
  const all = Object.entries(properties)
  const needed = all.filter(([name, schema]) => required.includes(name) || isDemanded(schema))
  return needed.length > 0 ? needed : all.slice(0, 1)
}

/** The contract says so of what its schema lets be left out. */
const isDemanded = (schema: Schema): boolean => schema['x-demanded'] === true

/** For POSIX shells: nothing within single quotes means anything. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
