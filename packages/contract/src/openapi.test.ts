import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { makeApiDocument, type Schema } from './openapi.ts'
import { ROUTES, successesOf } from './routes.ts'
import type { Route } from './route.ts'

const { paths, components, servers, tags } = makeApiDocument()
const operations = Object.values(paths).flatMap((path) => Object.values(path))
const find = (name: string) => operations.find(({ operationId }) => operationId === name)!
const namesOf = (fits: (route: Route) => unknown) =>
  ROUTES.flatMap(({ name, route }) => (fits(route) ? [name] : [])).toSorted()
const jsonOf = (name: string, status: string) => find(name).responses[status]?.content?.['application/json']

const mayBeNull = (schema: Schema) =>
  [schema.type].flat().includes('null') || JSON.stringify(schema['anyOf'] ?? []).includes('"null"')

/** The fields of a shape, and those inside them, by their paths; named shapes are left to their names. */
function listFields(schema: Schema, path: string[] = []): { path: string; field: Schema }[] {
  const inside = [schema['items'], ...((schema['anyOf'] ?? []) as Schema[])].filter((one) => one !== undefined)
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      { path: [...path, name].join('.'), field },
      ...listFields(field, [...path, name]),
    ]),
    ...inside.flatMap((one) => listFields(one as Schema, path)),
  ]
}

const answers = [
  ...Object.entries(components.schemas),
  ...ROUTES.map(({ name, route }) => [name, jsonOf(name, String(route.status ?? 200))?.schema ?? {}] as const),
]
/** By the name of the shape, or of the call where it has none. */
const findFields = (fits: (field: Schema, path: string) => boolean) =>
  Object.fromEntries(
    answers.flatMap(([name, schema]) => {
      const found = listFields(schema).flatMap(({ path, field }) => (fits(field, path) ? [path] : []))
      return found.length > 0 ? [[name, [...new Set(found)].join(' ')]] : []
    }),
  )

test('fields of an answer that may be null are those, and no others', () => {
  assert.deepEqual(
    findFields((field, path) => mayBeNull(field) && path !== 'next' && path !== 'previous'),
    {
      ActivityStep: 'at by text file reason expire_time',
      AskedWitness: 'signed_at refusal',
      AuditChain: 'link at hash',
      AuditEntry: 'actor object.id object.name collection network link',
      Collection:
        'proofid admin_username expire_time remaining_approval_time revoked_at sealing sealing.problem submission submission.digest',
      Content: 'upload_id collection.proofid collection.digest',
      FailingMail: 'recipient words',
      FileProblem: 'proof_id collection_id',
      GivenUpMail: 'words',
      HealthReport:
        'database.answered_in_ms database.clock_ahead_ms storage.free_bytes work.oldest_due_at log.signed_at log.unsigned_since audit.waiting_since files.judged_at antivirus.version antivirus.signatures_at backup.due_since backup.saved_at backup.drilled_at backup.problem outside_time.witnessed_at outside_time.waiting_since release.since release.before',
      JudgedProof: 'expire_time revoked_at reason',
      KeyFile: 'written_at',
      MailRecord: 'publish',
      MailState: 'last_delivered_at last_given_up',
      MailTest: 'problem words',
      Notification: 'path title file',
      Person: 'last_sign_in_at',
      Profile: 'first_name last_name phone_number birthdate',
      ProofChange: 'by reason text expire_time',
      ProofDetails: 'expire_time',
      ProviderEntry: 'token.access token.refresh payload.mail_refusal payload.mail_refusal.words challenge',
      ReviewDocument: 'pages size sha256 problem problem.file',
      ReviewQueue: 'place',
      ServerContent: 'collection expire_time revoked_at revocation_reason',
      Session: 'browser system network',
      Submission: 'digest changes decided_at reviewer admin_desc',
      SubmissionChanges: 'title',
      SubmissionFile: 'first_page',
      Ticket: 'username admin_username',
      TicketMessage: 'username',
      UploadSignature: 'signer issuer signed_at time_by',
      logIn: 'mail_refusal mail_refusal.words access refresh challenge',
      register: 'mail_refusal mail_refusal.words',
      setUp: 'mail_refusal mail_refusal.words',
      verifyCode: 'mail_refusal mail_refusal.words',
      joinAccount: 'mail_refusal mail_refusal.words',
      showUser: 'mail_refusal mail_refusal.words',
    },
  )
})

test('3.28 a page has none before the first and none after the last', () => {
  for (const [name, { properties = {} }] of answers)
    for (const end of ['next', 'previous'])
      if (properties[end]) assert.ok(mayBeNull(properties[end]), `${name}: ${end}`)
})

test('numbers of an answer start at nought or at one; but clocks also go behind', () => {
  const startsAt = ({ minimum, anyOf = [] }: Schema, bound: number) =>
    minimum === bound || (anyOf as Schema[]).some((choice) => choice['minimum'] === bound)
  assert.deepEqual(
    findFields((field) => startsAt(field, Number.MIN_SAFE_INTEGER)),
    { HealthReport: 'database.clock_ahead_ms' },
  )
  const isId = (path: string) => /(?:^|_|\.)(?:id|user|collection|content|ticket|proof|link)$/.test(path)
  assert.deepEqual(
    findFields((field, path) => startsAt(field, 1) && !isId(path)),
    {
      Collection: 'submission.number',
      FailingMail: 'attempts',
      OwnDecision: 'submission',
      ReviewDocument: 'pages size',
      ReviewQueue: 'place',
      Submission: 'number',
      SubmissionFile: 'first_page',
    },
  )
})

test('lengths start at one, but for passwords and codes; a number that is sent at nought or one', () => {
  const listBounds = (key: string) =>
    new Set(
      [...JSON.stringify([paths, components]).matchAll(RegExp(`"${key}":(-?\\d+)`, 'g'))].map(([, bound]) =>
        Number(bound),
      ),
    )
  assert.deepEqual(listBounds('minLength'), new Set([1, 6]))
  const sent = operations.flatMap(({ operationId, requestBody }) =>
    listFields(Object.values(requestBody?.content ?? {})[0]?.schema ?? {}).flatMap(({ path, field }) =>
      field.minimum === 0 ? [`${operationId} ${path}`] : [],
    ),
  )
  assert.deepEqual(sent.toSorted(), [
    'changeProofExpiry change_count',
    'createContent position',
    'markTicketRead seen',
    'reinstateProof change_count',
    'revokeProof change_count',
  ])
})

test('no choice of a field is left open, and a pattern is told only where no format says it', () => {
  const all = JSON.stringify([paths, components])
  assert.doesNotMatch(all, /"anyOf":\[[^[\]]*\{\}/)
  const patterns = [...all.matchAll(/"pattern":"([^"]+)"/g)].map(([, pattern]) => pattern)
  assert.deepEqual(new Set(patterns), new Set(['^[0-9a-f]{64}$', '^[0-9a-f]{32}$', '^[!-~]+$']))
})

test('every example is one that is taken', () => {
  for (const { name, route } of ROUTES)
    for (const part of [route.params, route.query, route.body, route.response])
      if (part)
        z.toJSONSchema(part, {
          io: part === route.response ? 'output' : 'input',
          unrepresentable: 'any',
          override: ({ zodSchema, jsonSchema }) => {
            for (const example of jsonSchema.examples ?? [])
              assert.ok((zodSchema as unknown as z.ZodType).safeParse(example).success, `${name}: ${String(example)}`)
          },
        })
})

test('fields of a query that must be given are those, and no others', () => {
  const needed = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ in: place, required }) => place === 'query' && required)
      .map(({ name }) => `${operationId} ${name}`),
  )
  assert.deepEqual(needed.toSorted(), [
    'exportAudit format',
    'listComments collection',
    'listContents collection',
    'listMessages ticket_id',
    'listProofChanges collection_proofid',
    'markNotificationRead id',
    'serveContent content_id',
    'serveServerContent collection_proofid',
    'showServerContent collection_proofid',
    'startProviderLogin provider',
  ])
})

test('a body takes these fields, of which those with ? may be left out', () => {
  const found = operations.flatMap(({ operationId, requestBody }) => {
    const { properties = {}, required = [] } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {}
    const fields = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`))
    return fields.length > 0 ? [[operationId, fields.toSorted().join(' ')]] : []
  })
  assert.deepEqual(Object.fromEntries(found), {
    approveCollection: 'admin_desc digest? expire_time?',
    changePassword: 'new_password old_password',
    changeProofExpiry: 'change_count? expire_time proofid text?',
    changeTicket: 'is_locked',
    checkResetLink: 'token',
    checkSetupLink: 'token',
    confirmIdentity: 'otp? password? provider_code?',
    confirmJoin: 'token',
    confirmReset: 'new_password token',
    createCollection: 'title',
    createComment: 'collection text',
    createContent: 'collection file position? title? title_type? upload_id?',
    createMessage: 'text ticket',
    createTicket: 'title',
    describeProof: 'proofid? username?',
    finishProviderLogin: 'code',
    judgeProofForProgram: 'proofid? username?',
    issueReceipt: 'proofid? username?',
    joinAccount: 'code otp? password',
    linkIdentity: 'code',
    logIn: 'password username',
    logInWithIdToken: 'otp? password? token',
    logOut: 'refresh?',
    mailJoinLink: 'code',
    markAllNotificationsRead: 'through?',
    markTicketRead: 'seen',
    openTicketSession: 'token',
    orderContents: 'collection contents',
    refreshTokens: 'refresh',
    register: 'birthdate? email first_name last_name password phone_number username',
    reinstateProof: 'change_count? proofid text?',
    rejectCollection: 'admin_desc digest?',
    renameCollection: 'title',
    renameContent: 'title? title_type',
    replaceContent: 'file',
    requestReset: 'email',
    requestTicketLink: 'email',
    revokeProof: 'change_count? proofid reason text?',
    saveReason: 'decision text',
    setTwoFactor: 'gfa_is_enabled? otp?',
    setUp: 'email password token username',
    setUserFlag: 'gfa_is_enabled? is_active? is_admin? is_email_verified? is_staff? is_superuser?',
    undoEmailChange: 'token',
    updateProfile: 'birthdate? email? first_name? last_name? phone_number?',
    verifyCode: 'challenge? otp user_id',
    verifyEmail: 'token',
    withdrawApproval: 'admin_desc',
  })
})

test('a body may be left out only where nothing is asked', () => {
  const left = operations.filter(({ requestBody }) => requestBody?.required === false).map((one) => one.operationId)
  assert.deepEqual(left.toSorted(), [
    'endOtherSessions',
    'endSessionsOfPerson',
    'renewRecoveryCodes',
    'resendVerification',
    'retryMails',
    'sendTestMail',
  ])
})

test('each call succeeds with its own status', () => {
  const found: Record<string, string[]> = {}
  for (const { name, route } of ROUTES) (found[successesOf(route).join(' ')] ??= []).push(name)
  const { '200': _, ...others } = Object.fromEntries(
    Object.entries(found).map(([statuses, names]) => [statuses, names.toSorted().join(' ')]),
  )
  assert.deepEqual(others, {
    '201':
      'createCollection createComment createContent createMessage createTicket linkIdentity register saveReason setUp',
    '202': 'markNotificationRead',
    '204':
      'checkResetLink checkSetupLink closeTicketSession deleteCollection deleteComment deleteContent deleteReason endOneSession',
    '302': 'receiveProviderAnswer startProviderLogin',
    '200 202': 'approveCollection',
    '200 206 304': 'retrieveCertifiedPdf serveContent serveDocument serveServerContent showThumbnail',
  })
  for (const { name, route } of ROUTES)
    for (const status of successesOf(route)) assert.ok(find(name).responses[status], `${name} ${status}`)
})

test('what a call is besides its address: open before two-factor, changing by GET, saying `error`', () => {
  assert.deepEqual(
    namesOf((route) => route.isOpenBeforeTwoFactor),
    [
      'beginSetup',
      'changePassword',
      'confirmIdentity',
      'endOneSession',
      'endOtherSessions',
      'listSessions',
      'logOut',
      'setTwoFactor',
      'showConfirmation',
      'showProfile',
      'showUser',
    ],
  )
  assert.deepEqual(
    namesOf((route) => route.changesState),
    ['markNotificationRead', 'receiveProviderAnswer', 'sendCollection'],
  )
  assert.deepEqual(
    namesOf((route) => route.saysError),
    ['changePassword', 'confirmReset', 'finishProviderLogin', 'logInWithIdToken', 'requestReset'],
  )
})

test('who may call is told: everyone, who has signed in, or both', () => {
  assert.deepEqual(find('showInstance').security, [])
  assert.deepEqual(find('listCollections').security, [{ bearer: [] }])
  for (const name of ['listTickets', 'logOut']) assert.deepEqual(find(name).security, [{ bearer: [] }, {}])
})

test('what a call makes can be made once under a key: these name the header, and what it is refused for', () => {
  const keyed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  assert.deepEqual(keyed.map(({ operationId }) => operationId).toSorted(), [
    'createCollection',
    'createComment',
    'createMessage',
    'createTicket',
  ])
  for (const { operationId, parameters, responses } of keyed) {
    const { in: place, required, schema } = parameters.find(({ name }) => name === 'Idempotency-Key')!
    assert.deepEqual([place, required, schema['minLength'], schema['maxLength']], ['header', false, 1, 64])
    assert.match(responses[422]?.description ?? '', /`idempotency_key_reused`/, operationId)
    assert.match(responses[400]?.description ?? '', /`invalid`/, operationId)
  }
})

test('a file is answered whole, in part or not again, and its range may be asked for', () => {
  const { responses, parameters } = find('serveContent')
  const named = (status: number) => Object.keys(responses[status]?.headers ?? {})
  assert.deepEqual([200, 206, 304, 416].map(named), [['ETag'], ['ETag', 'Content-Range'], ['ETag'], ['Content-Range']])
  assert.deepEqual(Object.keys(responses[200]?.content ?? {}), ['application/pdf', 'image/jpeg', 'image/png'])
  assert.deepEqual(
    parameters.map(({ name, in: place, required }) => [name, place, required]),
    [
      ['content_id', 'query', true],
      ['Range', 'header', false],
      ['If-None-Match', 'header', false],
    ],
  )
  assert.deepEqual(
    find('listCollections').parameters.filter(({ in: place }) => place !== 'query'),
    [],
  )
  assert.deepEqual(Object.keys(find('openEvents').responses[200]?.content ?? {}), ['text/event-stream'])
})

test('an answer of JSON refers to named shapes, which are written out once', () => {
  const results = jsonOf('listCollections', '200')?.schema.properties?.['results']
  assert.deepEqual(results, { type: 'array', items: { $ref: '#/components/schemas/Collection' } })
  assert.equal(components.schemas['Collection']?.properties?.['title']?.type, 'string')
  const names = Object.keys(components.schemas)
  assert.deepEqual(names.slice(1), names.slice(1).toSorted())
  assert.equal(names[0], 'Error')
  const referred = [...JSON.stringify([paths, components]).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
  assert.deepEqual(new Set(referred.map(([, name]) => name)), new Set(names))
  const created = components.schemas['Collection']?.properties?.['created_at']
  assert.deepEqual([created?.['format'], created?.['pattern']], ['date-time', undefined])
  assert.deepEqual(jsonOf('approveCollection', '202'), jsonOf('approveCollection', '200'))
  assert.deepEqual(find('deleteComment').responses[204], { description: 'Done; the answer is empty.' })
})

test('a refusal names its codes, an example of each, and when to come back', () => {
  const refused = find('listCollections').responses
  const { schema, examples = {} } = refused[404]!.content!['application/json']!
  assert.deepEqual(schema['allOf'], [
    { $ref: '#/components/schemas/Error' },
    { properties: { code: { enum: ['page_not_found'] } } },
  ])
  assert.deepEqual(examples['page_not_found'], { value: { code: 'page_not_found', detail: 'Invalid page.' } })
  const headers = (name: string, status: number) => Object.entries(find(name).responses[status]?.headers ?? {})
  assert.deepEqual(
    headers('listCollections', 401).map(([name]) => name),
    ['WWW-Authenticate'],
  )
  for (const [name, status] of [
    ['logIn', 429],
    ['listCollections', 503],
  ] as const)
    assert.deepEqual(
      headers(name, status).map(
        ([
          header,
          {
            schema: { minimum },
          },
        ]) => [header, minimum],
      ),
      [['Retry-After', 1]],
    )
  assert.deepEqual(headers('listCollections', 404), [])
  for (const { responses } of operations)
    for (const { description } of Object.values(responses)) assert.doesNotMatch(description, /\{\w+\}/)
})

test('addresses start where the API lives, and every part of it is told', () => {
  assert.deepEqual(servers, [{ url: '/backend/api/v1' }])
  assert.ok(tags.every(({ name, description }) => name && description.endsWith('.')))
  assert.deepEqual(new Set(operations.flatMap((one) => one.tags)), new Set(tags.map(({ name }) => name)))
  assert.deepEqual(components.schemas['Error']?.required, ['code', 'detail'])
})
