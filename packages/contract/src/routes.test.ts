import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { STATUS_OF } from './errors.ts'
import { makeApiDocument } from './openapi.ts'
import { errorsOf, isRoute, nameRoute, ROUTES } from './routes.ts'

/** Every call that any file of the contract exports, found without the list. */
async function findExportedRoutes() {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const found = await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(join(import.meta.dirname, file))
      return Object.entries(exported).flatMap(([name, value]) => (isRoute(value) ? [{ file, name, route: value }] : []))
    }),
  )
  return found.flat()
}

test('every call of the contract stands in the list of calls', async () => {
  const listed = new Set(ROUTES.map(({ route }) => route))
  const exported = await findExportedRoutes()
  assert.ok(exported.length > 25)
  const missing = exported.filter(({ route }) => !listed.has(route))
  assert.deepEqual(
    missing.map(({ file, name }) => `${name} of ${file} is not listed: name ${file} in GROUPS of routes.ts`),
    [],
  )
  assert.equal(ROUTES.length, exported.length)
})

test('every call says how it may refuse', () => {
  const silent = ROUTES.filter(({ route }) => route.errors === undefined)
  assert.deepEqual(
    silent.map(({ name }) => `${name} has no errors: list the codes its service throws, or [] when there are none`),
    [],
  )
})

test('no two calls share an address or a name', () => {
  const addresses = ROUTES.map(({ route }) => nameRoute(route).replace(/:\w+/g, ':').replace(/\/$/, ''))
  assert.deepEqual(
    addresses.filter((address, at) => addresses.indexOf(address) !== at),
    [],
  )
  const names = ROUTES.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('a call answers with JSON, with a file, or with nothing and says which', () => {
  for (const { name, route } of ROUTES) {
    assert.ok(!(route.response && route.file), `${name} answers with JSON and with a file`)
    if (!route.response && !route.file && !route.stream && !route.download)
      assert.ok([204, 302].includes(route.status ?? 200), `${name} answers with what?`)
  }
})

test('each code is one that some call may refuse with', () => {
  const used = new Set(ROUTES.flatMap(({ route }) => errorsOf(route)))
  // Said of single fields: the answer's own code is `invalid`.
  const ofFields = ['page_below_one', 'token_invalid', 'title_required', 'default_description_hides_answer']
  // Said in the fragment in which the provider's answer is handed on, where no answer of a call says it.
  const ofFragments = ['provider_identity_unknown']
  // Said where there is no such call.
  const ofNoCall = ['method_not_allowed']
  const idle = Object.keys(STATUS_OF).filter((code) => !used.has(code as keyof typeof STATUS_OF))
  assert.deepEqual(
    idle.filter((code) => ![...ofFields, ...ofFragments, ...ofNoCall].includes(code)),
    [],
  )
})

test('a change asks once more for a proved address unless it is one of few that take none', () => {
  const withoutAddress = ROUTES.filter(({ route }) => {
    const isChange = (route.method !== 'GET' || route.changesState) && ['bearer', 'optional'].includes(route.access)
    return isChange && !route.isOfOwnAccount && !route.errors?.includes('email_not_verified')
  })
  // Tickets are for whoever cannot read their mail, and so is looking after it.
  const takeNone = ['createTicket', 'markTicketRead', 'retryMails', 'sendTestMail']
  assert.deepEqual(withoutAddress.map(({ name }) => name).toSorted(), takeNone)
})

test('the document says of every call what it is, who may call it, what it takes and how it answers', () => {
  const document = makeApiDocument()
  for (const { name, route } of ROUTES) {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    assert.equal(operation?.operationId, name)
    assert.equal(operation.summary, route.summary)
    assert.match(operation.summary, /^[A-Z].*\.$/s, name)
    assert.equal(operation.security.length > 0, route.access !== 'public', name)
    assert.equal(operation.requestBody !== undefined, route.body !== undefined, name)
    for (const code of errorsOf(route))
      assert.match(operation.responses[STATUS_OF[code]]?.description ?? '', RegExp(code))
    const places = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name)
    assert.deepEqual(
      places,
      [...route.path.matchAll(/:(\w+)/g)].map(([, place]) => place),
      name,
    )
    assert.ok(
      operation.parameters.every((parameter) => Object.keys(parameter.schema).length > 0),
      name,
    )
  }
})

test('an upload is a form with one file beside its fields', () => {
  const { requestBody } = makeApiDocument().paths['/contents/']?.['post'] ?? {}
  const { schema } = requestBody?.content['multipart/form-data'] ?? { schema: {} }
  const fields = ['title_type', 'title', 'collection', 'position', 'upload_id', 'file']
  assert.deepEqual(Object.keys(schema.properties ?? {}), fields)
  assert.deepEqual(schema.required, ['collection', 'file'])
})
