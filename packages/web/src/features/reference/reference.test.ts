import { makeApiDocument } from '@proofdesk/contract/openapi'
import { ROUTES } from '@proofdesk/contract/routes'
import { TEST_PASSWORD, type TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { useRealServer } from '../../testing/real-server.ts'
import { groupCalls, searchCalls, tokenUseOf } from './calls.ts'
import { exampleOf, writeCurl } from './curl.ts'
import { listFields, nameType } from './fields.ts'

const document = makeApiDocument()
const shapes = document.components.schemas
const groups = groupCalls(document)
const find = (operationId: string) =>
  groups.flatMap(({ calls }) => calls).find(({ operation }) => operation.operationId === operationId)!
const curlOf = (operationId: string) => {
  const { method, path, operation } = find(operationId)
  return writeCurl('https://desk.example/backend/api/v1', method, path, operation)
}

test('every call of the document stands in a group of the reference', () => {
  const listed = groups.flatMap(({ calls }) => calls).length
  expect(listed).toBe(Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length)
  expect(groups.every(({ calls }) => calls.length > 0)).toBe(true)
})

test('fields of named shapes, lists and choices are written out with the way to them', () => {
  const answer = find('listCollections').operation.responses['200']!.content!['application/json']!.schema
  const rows = new Map(listFields(answer, shapes).map((row) => [row.name, row]))
  expect(rows.get('results')?.type).toBe('list of Collection')
  expect(rows.get('results[].proofid')).toMatchObject({ type: 'string or null', isRequired: true })
  expect(rows.get('results[].sealing.since')?.type).toBe('string (date-time)')
  expect(rows.get('results[].id')?.type).toBe('integer')
})

test('a shape that holds itself ends where it begins', () => {
  const Tree = {
    type: 'object',
    properties: { branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  }
  const rows = listFields({ properties: { tree: { $ref: '#/components/schemas/Tree' } } }, { Tree })
  expect(rows.map(({ name }) => name)).toEqual(['tree', 'tree.branches'])
})

test('a type is named in a word or two', () => {
  expect(nameType({ enum: ['opened', 'answered'] })).toBe('opened | answered')
  expect(nameType({ anyOf: [{ const: '' }, { type: 'null' }, { type: 'string', format: 'date' }] })).toBe(
    'null or string (date)',
  )
  expect(nameType({ type: 'string', contentMediaType: 'application/octet-stream' })).toBe('file')
})

test('examples are values the call accepts', () => {
  const bodyOf = (operationId: string) => find(operationId).operation.requestBody?.content['application/json']?.schema
  expect(exampleOf(bodyOf('register')!)).toMatchObject({ email: 'ada@example.org', username: 'ada' })
  const withBody = ROUTES.filter(({ name, route }) => route.body !== undefined && bodyOf(name) !== undefined)
  expect(withBody.length).toBeGreaterThan(25)
  for (const { name, route } of withBody)
    expect(route.body?.safeParse(exampleOf(bodyOf(name)!)).error?.issues, name).toBeUndefined()
})

test('a curl example can be pasted: quoted, with the token, the body or the file', () => {
  expect(curlOf('showInstance')).toBe("curl 'https://desk.example/backend/api/v1/instance/'")
  expect(curlOf('deleteCollection')).toBe(
    'curl -X DELETE \'https://desk.example/backend/api/v1/collections/1/\' \\\n  -H "Authorization: Bearer $ACCESS"',
  )
  expect(curlOf('createContent')).toContain("-F 'file=@document.pdf'")
  expect(curlOf('createContent')).not.toContain('-X POST')
  for (const call of ['sendCollectionByPost', 'endOtherSessions', 'retryMails'])
    expect(curlOf(call)).toContain('-X POST')
  expect(curlOf('exportAudit')).toMatch(/audit\/export\/\?format=csv'.*-f -OJ$/s)
  expect(curlOf('retrieveCertifiedPdf')).toMatch(
    /get-pdfs\/\?proofid=7ZQK-3M9D-XW2C-VB4T-8&username=ada' \\\n  -f -OJ$/,
  )
  expect(curlOf('openEvents')).toMatch(/-N$/)
  expect(curlOf('setTwoFactor')).toContain(`-d '{"gfa_is_enabled":true,"otp":"123456"}'`)
  for (const call of ['describeProof', 'issueReceipt', 'judgeProofForProgram'])
    expect(curlOf(call)).toContain(`-d '{"proofid":"7ZQK-3M9D-XW2C-VB4T-8","username":"ada"}'`)
  expect(curlOf('createTicket')).toContain('-H "Authorization: Bearer $ACCESS"')
  expect(curlOf('createComment')).toContain(`-d '{"text":"Please look at page 2 first.","collection":1}'`)
})

test('each example has all that its call demands: the server misses nothing of it', async () => {
  const server = await useRealServer()
  const misses: string[] = []
  for (const { method, path, operation } of groups.flatMap(({ calls }) => calls)) {
    const curl = writeCurl('/backend/api/v1', method, path, operation)
    // Forms name a file of the caller's, and a stream never ends.
    if (/^ {2}-[FN]/m.test(curl)) continue
    const [, body] = /^ {2}-d '(.*)'/m.exec(curl) ?? []
    const answer = await server.inject({
      method: method.toUpperCase() as 'GET',
      url: /'([^']*)'/.exec(curl)?.[1] ?? '',
      headers: curl.includes('$ACCESS') ? { authorization: `Bearer ${await signInAnew(server)}` } : {},
      ...(body !== undefined && { payload: JSON.parse(body) as object }),
    })
    const { code } = answer.statusCode < 400 ? {} : answer.json<{ code: string }>()
    // A file that is gone is no fault of the caller's.
    if (/^(invalid|not_signed_in|(?!file_).*_missing)$/.test(code ?? ''))
      misses.push(`${operation.operationId}: ${answer.body}`)
  }
  expect(misses).toEqual([])
})

/** Each call has a caller of its own: some end the session, or close the account. */
async function signInAnew(server: TestServer): Promise<string> {
  const { username } = await server.createUser({
    username: `caller${crypto.randomUUID().slice(0, 8)}`,
    is_superuser: true,
  })
  const payload = { username, password: TEST_PASSWORD }
  const answer = await server.inject({ method: 'POST', url: '/backend/api/v1/auth/login/', payload })
  return answer.json<{ access: string }>().access
}

test('a quote within an example ends nothing', () => {
  const { method, path, operation } = structuredClone(find('createCollection'))
  operation.requestBody!.content['application/json']!.schema.properties!['title']!.examples = ["it's; rm -rf /"]
  expect(writeCurl('', method, path, operation)).toContain(`-d '{"title":"it'\\''s; rm -rf /"}'`)
})

test('a search finds calls by path, field, words and code, all of its words at once', () => {
  const names = (text: string) =>
    searchCalls(groups, text).flatMap(({ calls }) => calls.map(({ operation }) => operation.operationId))
  expect(names('exlude_admin_desc')).toEqual(['listCollections'])
  expect(names('DELETE comment')).toContain('deleteComment')
  expect(names('own_collection')).toEqual([
    'approveCollection',
    'rejectCollection',
    'withdrawApproval',
    'revokeProof',
    'reinstateProof',
    'changeProofExpiry',
  ])
  expect(names('collection zebra')).toEqual([])
  expect(names('  ')).toHaveLength(groups.flatMap(({ calls }) => calls).length)
})

test('a call says whether it demands an access token, takes one or needs none', () => {
  expect(tokenUseOf(find('listCollections').operation)).toBe('demanded')
  expect(tokenUseOf(find('listTickets').operation)).toBe('optional')
  expect(tokenUseOf(find('showInstance').operation)).toBe('none')
  expect(curlOf('listTickets')).toContain('Authorization')
  expect(curlOf('showInstance')).not.toContain('Authorization')
})
