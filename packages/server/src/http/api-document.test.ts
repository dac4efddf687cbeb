import { Validator, type SpecData } from '@seriousme/openapi-schema-validator'
import { API_BASE } from '@proofdesk/contract/route'
import type { ApiDocument, Schema } from '@proofdesk/contract/openapi'
import { nameRoute, ROUTES } from '@proofdesk/contract/routes'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { addFile, openCollection, sendCollection } from '../testing/collections.ts'
import { startTestServer, type TestAnswer } from '../testing.ts'

/** Starts a server and notes every call that is bound to it. */
async function listBoundRoutes(t: Parameters<typeof startTestServer>[0]): Promise<string[]> {
  const bound: string[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) {
        if (one !== 'HEAD' && url.startsWith(API_BASE)) bound.push(`${one} ${url.slice(API_BASE.length)}`)
      }
    })
  }
  subscribe('fastify.initialization', watch)
  try {
    await startTestServer(t)
  } finally {
    unsubscribe('fastify.initialization', watch)
  }
  return bound
}

/** Trailing slashes aside, as in the server. */
const withoutSlash = (name: string) => name.replace(/(.)\/$/, '$1')

test('the server binds exactly the calls of the contract', async (t) => {
  const bound = (await listBoundRoutes(t)).map(withoutSlash)
  const listed = ROUTES.map(({ route }) => withoutSlash(nameRoute(route)))
  assert.ok(bound.length > 25)
  assert.deepEqual(
    bound.filter((name) => !listed.includes(name)).map((name) => `${name} is bound but no call of the contract`),
    [],
  )
  assert.deepEqual(
    listed.filter((name) => !bound.includes(name)).map((name) => `${name} is in the contract but not bound`),
    [],
  )
})

test('/openapi.json is the whole API, valid to an outside judge, for everyone', async (t) => {
  const server = await startTestServer(t)
  const answer = await server.stranger.get('/openapi.json')
  assert.equal(answer.status, 200)
  const document = answer.json() as ApiDocument
  const judged = await new Validator().validate(structuredClone(document) as unknown as SpecData)
  assert.deepEqual(judged.errors ?? [], [])
  assert.equal(judged.valid, true)
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  assert.deepEqual(calls.toSorted(), ROUTES.map(({ route }) => nameRoute(route)).toSorted())
})

test('the outside judge refuses a document that is none', async () => {
  const judged = await new Validator().validate({
    openapi: '3.1.1',
    info: { title: 'x', version: '1' },
    paths: { x: 1 },
  })
  assert.equal(judged.valid, false)
})

test('answers and refusals have the shapes the document gives them', async (t) => {
  const server = await startTestServer(t)
  const document = (await server.stranger.get('/openapi.json')).json() as ApiDocument
  const ajv = new Ajv2020({ strict: 'log', allErrors: true, logger: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })

  function mustFit(answer: TestAnswer, method: string, path: string): void {
    const responses = document.paths[path]?.[method]?.responses ?? {}
    const schema = responses[String(answer.status)]?.content?.['application/json']?.schema
    assert.ok(schema, `${method} ${path} ${answer.status} is not in the document`)
    const validate = ajv.compile(pointAt(schema))
    assert.ok(validate(answer.json()), `${method} ${path}: ${ajv.errorsText(validate.errors)} ${answer.body}`)
  }

  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await openCollection(ada)
  await addFile(ada, id)
  const sent = await sendCollection(ada)
  const { stranger } = server
  const wrong = { username: 'ada', password: 'wrong' }
  mustFit(await stranger.post('/auth/login/', wrong), 'post', '/auth/login/')
  mustFit(await stranger.post('/auth/register/', { email: 'x' }), 'post', '/auth/register/')
  mustFit(await stranger.get('/collections/'), 'get', '/collections/')
  mustFit(await stranger.get('/instance/'), 'get', '/instance/')
  mustFit(await ada.get('/user/info'), 'get', '/user/info')
  mustFit(await ada.get('/collections/'), 'get', '/collections/')
  mustFit(await ada.get('/collections/?page=9'), 'get', '/collections/')
  mustFit(await ada.get(`/collections/${id}`), 'get', '/collections/{id}')
  mustFit(await ada.get('/collections/999'), 'get', '/collections/{id}')
  mustFit(await ada.get(`/contents/?collection=${id}`), 'get', '/contents/')
  mustFit(await ada.upload('/contents/', { collection: String(id) }), 'post', '/contents/')
  mustFit(await ada.post('/comments/', { text: 'Here.', collection: id }), 'post', '/comments/')
  mustFit(await ada.get(`/comments/?collection=${id}`), 'get', '/comments/')
  mustFit(await sam.post(`/admin/${sent}/reject/`, { admin_desc: 'Not signed.' }), 'post', '/admin/{id}/reject/')
  mustFit(await sam.post(`/admin/${sent}/reject/`, { admin_desc: 'Not signed.' }), 'post', '/admin/{id}/reject/')
  await server.settle()
  mustFit(await ada.get('/notification/'), 'get', '/notification/')
  mustFit(await ada.get('/content-servers/'), 'get', '/content-servers/')

  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses, parameters }] of Object.entries(methods)) {
      const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
      for (const { schema } of [...contents, ...parameters])
        assert.doesNotThrow(() => ajv.compile(pointAt(schema)), `${method} ${path}`)
    }
  }
})

/** References lead to the schema that holds the components. */
function pointAt(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
}
