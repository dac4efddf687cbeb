import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatVerifierKey } from '@proofdesk/proof/log/note'
import { ConfigError } from './config-error.ts'
import { readConfig, type Environment } from './config.ts'

const read = (environment: Environment) => readConfig(environment, '/srv/proofdesk')

test('without settings everything has the value of the decisions', () => {
  assert.deepEqual(read({}), {
    port: 8000,
    webConcurrency: 1,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:8000',
    isTestInstance: true,
    isLocalOnly: true,
    organisation: 'Proofdesk',
    dataDir: '/srv/proofdesk/data',
    databaseUrl: undefined,
    storage: undefined,
    smtpUrl: undefined,
    mailFrom: { name: 'Proofdesk', address: 'no-reply@127.0.0.1' },
    dkim: undefined,
    maxUploadMb: 25,
    sessionDays: 90,
    maxSessions: 20,
    requireTwoFactor: false,
    maxUserMb: 5120,
    maxUserCollections: 1000,
    minFreeMb: 1024,
    clamd: undefined,
    auditKeepDays: undefined,
    reminderDays: [30, 7, 1],
    keysDir: '/srv/proofdesk/data/keys',
    keyPassphrase: undefined,
    logOrigin: undefined,
    metricsToken: undefined,
    tracing: undefined,
    backupDir: undefined,
    backupBucket: undefined,
    backupKeep: 14,
    backupPassphrase: undefined,
    witnessPolicy: undefined,
    witnessedLogs: [],
    trustProxy: [],
    logLevel: 'info',
    identityProviders: [],
  })
})

test('settings are read', () => {
  const config = read({
    PORT: '443',
    HOST: '::1',
    PUBLIC_URL: 'https://Proof.Example/',
    ORGANISATION: 'Registro Civil “Norte”',
    DATA_DIR: '/var/lib/proofdesk',
    DATABASE_URL: 'postgres://u:p@db/proofdesk',
    SMTP_URL: 'smtps://u:p@mail.example:465',
    MAIL_FROM: 'Civil Registry <proofs@example.org>',
    MAX_UPLOAD_MB: '50',
    KEYS_DIR: 'keys',
    TRUST_PROXY: '10.0.0.0/8, 2001:db8::/32,192.0.2.1',
    LOG_LEVEL: 'debug',
    WEB_CONCURRENCY: '4',
    DEFAULT_LOCALE: 'en',
    STORAGE_URL: '',
  })
  assert.equal(config.publicUrl, 'https://proof.example')
  assert.equal(config.isTestInstance, false)
  assert.deepEqual(config.mailFrom, { name: 'Civil Registry', address: 'proofs@example.org' })
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'])
  assert.equal(config.keysDir, '/srv/proofdesk/keys')
})

test('a mail server’s address says in our words whether it goes without encryption', () => {
  for (const end of ['', '?tls=required', '?tls=optional', '?tls.rejectUnauthorized=false'])
    assert.equal(read({ SMTP_URL: `smtp://mail${end}` }).smtpUrl, `smtp://mail${end}`)
  for (const end of [
    '?tls=no',
    '?tls=',
    '?ignoreTLS=true',
    '?requireTLS=false',
    '?secure=false',
    '?opportunisticTLS=true',
  ])
    assert.throws(
      () => read({ SMTP_URL: `smtp://u:s3cret@mail${end}` }),
      /^ConfigError: SMTP_URL is wrong: [^]*tls=optional$/,
    )
})

test('what one person may store, and the room that stays free, can be set', () => {
  const set = read({ MAX_USER_MB: '10', MAX_USER_COLLECTIONS: '3', MIN_FREE_MB: '0' })
  assert.deepEqual([set.maxUserMb, set.maxUserCollections, set.minFreeMb], [10, 3, 0])
  for (const name of ['MAX_USER_MB', 'MAX_USER_COLLECTIONS', 'MIN_FREE_MB'])
    for (const value of ['-1', '1.5', '5GB', '1e3', '999999999'])
      assert.throws(
        () => read({ [name]: value }),
        (error: Error) => error.message.startsWith(`${name} is wrong: `),
      )
  for (const name of ['MAX_USER_MB', 'MAX_USER_COLLECTIONS']) assert.throws(() => read({ [name]: '0' }), ConfigError)
})

test('20.1 where clamd listens is set as host and port or as a socket', () => {
  const readAddress = (CLAMD: string) => read({ CLAMD }).clamd
  assert.deepEqual(readAddress('clamav.internal:3310'), { host: 'clamav.internal', port: 3310 })
  assert.deepEqual(readAddress('[::1]:3310'), { host: '::1', port: 3310 })
  assert.deepEqual(readAddress('unix:/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
})

test('10.10 how long the audit trail is kept can be set; without it for ever', () => {
  assert.equal(read({}).auditKeepDays, undefined)
  assert.equal(read({ AUDIT_KEEP_DAYS: '365' }).auditKeepDays, 365)
  for (const value of ['0', '29', '-1', '36501', 'forever'])
    assert.throws(() => read({ AUDIT_KEEP_DAYS: value }), /AUDIT_KEEP_DAYS is wrong: a whole number from 30/)
})

test('13.17 on which days before an expiry its owner is reminded can be set; without it 30, 7 and 1', () => {
  assert.deepEqual(read({}).reminderDays, [30, 7, 1])
  assert.deepEqual(read({ REMINDER_DAYS: '14' }).reminderDays, [14])
  assert.deepEqual(read({ REMINDER_DAYS: ' 1, 60,14 ' }).reminderDays, [1, 60, 14])
  assert.deepEqual(read({ REMINDER_DAYS: '0' }).reminderDays, [])
  for (const value of ['-1', '7,', '7,0', '7,7', '3651', 'weekly', '7;1', '1.5', '1,2,3,4,5,6,7,8,9,10,11'])
    assert.throws(() => read({ REMINDER_DAYS: value }), /^ConfigError: REMINDER_DAYS is wrong: different whole numbers/)
})

test('an address that only this machine reaches makes a test instance', () => {
  const local = [
    'http://localhost:8000',
    'http://127.1.2.3',
    'http://[::1]:8000',
    'http://a.localhost',
    'http://0.0.0.0:8000',
  ]
  for (const PUBLIC_URL of local) assert.equal(read({ PUBLIC_URL }).isTestInstance, true, PUBLIC_URL)
  for (const PUBLIC_URL of ['https://localhost.example', 'http://10.0.0.1', 'https://127.example'])
    assert.equal(read({ PUBLIC_URL }).isTestInstance, false, PUBLIC_URL)
  assert.equal(read({ HOST: '::1' }).publicUrl, 'http://[::1]:8000')
})

test('what an address, a proxy or a listening address opens to others is not local', () => {
  for (const local of [{}, { HOST: '::1' }, { PUBLIC_URL: 'http://localhost:8000' }])
    assert.equal(read(local).isLocalOnly, true, JSON.stringify(local))
  for (const open of [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8000' },
    { HOST: '192.0.2.1', PUBLIC_URL: 'http://localhost' },
    { PUBLIC_URL: 'https://proof.example' },
    { TRUST_PROXY: '127.0.0.1' },
  ])
    assert.equal(read(open).isLocalOnly, false, JSON.stringify(open))
})

test('15.26 an organisation whose name has what shows nothing, or turns the line around, is refused with a clear line', () => {
  for (const ORGANISATION of ['ACME\u200b', '\u202eEMCA', 'AC\u00adME', 'AC\u0085ME', '\u2800'])
    assert.throws(() => read({ ORGANISATION }), {
      name: 'ConfigError',
      message: /^ORGANISATION\b.*none of them invisible or a mark of direction/,
    })
  for (const ORGANISATION of ['Registro Civil “Norte”', 'کتاب\u200cخانه'])
    assert.equal(read({ ORGANISATION }).organisation, ORGANISATION)
})

test('a wrong setting is one line that names it and shows no value', () => {
  const wrong: [string, string[]][] = [
    ['PORT', ['0', '65536', '-1', '80a', '8000.5', ' ']],
    ['HOST', ['a b', 'http://x', '-x', '1.2.3.4:80', '1.2.3.256', '1.2.3.4.5', 'fe80::1%eth0']],
    [
      'PUBLIC_URL',
      ['proof.example', 'ftp://x', 'https://x/path', 'https://x/?q', 'https://u:secret@x', 'https://x/#f'],
    ],
    ['ORGANISATION', ['two\nlines', 'x'.repeat(201)]],
    ['DATABASE_URL', ['mysql://x', 'secret']],
    ['SMTP_URL', ['http://x', 'mail.example:25']],
    ['MAIL_FROM', ['nobody', 'a@b c@d', 'A <a@b>, B <c@d>', 'a@b\r\nBcc: c@d']],
    ['MAX_UPLOAD_MB', ['0', '201', '5MB', '1e3']],
    ['SESSION_DAYS', ['0', '3651', '-1', '90d']],
    ['MAX_SESSIONS', ['0', '1001', 'many']],
    ['REQUIRE_TWO_FACTOR', ['1', 'yes', 'TRUE']],
    ['TRUST_PROXY', ['true', '10.0.0.0/33', '1.2.3.4/8/8', 'proxy.example']],
    [
      'CLAMD',
      [
        '3310',
        'localhost',
        'host:0',
        'host:65536',
        '::1:3310',
        '[host]:1',
        'unix:run/clamd',
        'unix:',
        'tcp://h:1',
        'h:1/x',
      ].concat(`unix:/${'x'.repeat(107)}`),
    ],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['OIDC_ISSUER', ['x', 'http://idp.example', 'https://u:secret@idp.example', 'https://idp.example/?q']],
    ['GOOGLE_ISSUER', ['ftp://x', 'http://10.0.0.1']],
    ['OIDC_NAME', ['x'.repeat(61), 'two\nlines']],
  ]
  for (const [name, values] of wrong)
    for (const value of values)
      assert.throws(
        () => read({ [name]: value }),
        (error) => {
          assert.ok(error instanceof ConfigError, `${name}=${value}`)
          assert.ok(error.message.startsWith(`${name} is wrong: `), error.message)
          assert.ok(!error.message.includes('\n') && !error.message.includes('secret'))
          return true
        },
      )
})

test('what this version cannot do is refused, never ignored', () => {
  const settings = { TSA_URL: 'x', SIGNER_COMMAND: 'x', DEFAULT_LOCALE: 'fa' }
  for (const [name, value] of Object.entries(settings))
    assert.throws(() => read({ [name]: value }), new RegExp(`^ConfigError: ${name} .*does not support it yet$`))
})

test('19.22 STORAGE_URL names a bucket, and credentials come from the usual variables or from files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-config-'))
  t.after(() => rm(folder, { recursive: true }))
  const AWS_SECRET_ACCESS_KEY_FILE = join(folder, 'key')
  await writeFile(AWS_SECRET_ACCESS_KEY_FILE, 'of/a+file=\n')
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
  const ours = { bucket: 'proofs', prefix: '', endpoint: 'https://s3.example:9000', region: 'us-east-1', credentials }
  const STORAGE_URL = 's3://proofs?endpoint=https://s3.example:9000'
  assert.deepEqual(read({ STORAGE_URL, ...secrets }).storage, ours)
  assert.deepEqual(
    read({ STORAGE_URL: 's3://proofs/of/desk/?endpoint=https%3A%2F%2Fs3.example:9000/&region=eu-1', ...secrets })
      .storage,
    {
      ...ours,
      prefix: 'of/desk/',
      region: 'eu-1',
    },
  )
  const atAmazon = read({ STORAGE_URL: 's3://proofs', AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'token', ...secrets })
  assert.deepEqual(atAmazon.storage, {
    ...ours,
    endpoint: undefined,
    region: 'eu-west-1',
    credentials: { ...credentials, sessionToken: 'token' },
  })
  const ofFile = read({ STORAGE_URL, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY_FILE })
  assert.equal(ofFile.storage?.credentials.secretAccessKey, 'of/a+file=')
  // Without STORAGE_URL they mean other programs.
  assert.equal(read({ AWS_ACCESS_KEY_ID: 'with a blank', AWS_REGION: 'x' }).storage, undefined)
})

test('19.23 18.23 a STORAGE_URL or BACKUP_DIR that is wrong, or lacks something, is one line that names the setting and shows no secret', () => {
  const secrets = { AWS_ACCESS_KEY_ID: 'id-secret', AWS_SECRET_ACCESS_KEY: 'key-secret' }
  for (const STORAGE_URL of [
    'proofs',
    'https://proofs',
    's3://',
    's3://Pr',
    's3://proofs_of',
    's3://id:secret@proofs?region=eu-1',
    's3://proofs?region=eu-1&region=eu-2',
    's3://proofs?region=EU 1',
    's3://proofs?endpoint=s3.example&region=eu-1',
    's3://proofs?endpoint=ftp://s3.example',
    's3://proofs?endpoint=https://id:secret@s3.example',
    's3://proofs?endpoint=https://s3.example/path',
    's3://proofs?endpoint=',
    's3://proofs?secret=x&region=eu-1',
    's3://proofs//x?region=eu-1',
    's3://proofs/a%2Fb?region=eu-1',
    's3://proofs?region=eu-1#x',
  ])
    assert.throws(
      () => read({ STORAGE_URL, ...secrets }),
      /^ConfigError: STORAGE_URL is wrong: s3:[^\n]*$/,
      STORAGE_URL,
    )
  const settings = { STORAGE_URL: 's3://proofs?endpoint=http://127.0.0.1:9000', ...secrets }
  const faults: [Environment, RegExp][] = [
    [
      { ...settings, STORAGE_URL: 's3://proofs' },
      /^ConfigError: STORAGE_URL is wrong: without an endpoint it needs a region$/,
    ],
    [{ ...settings, AWS_ACCESS_KEY_ID: '' }, /^ConfigError: AWS_ACCESS_KEY_ID is missing: STORAGE_URL needs it$/],
    [
      { ...settings, AWS_SECRET_ACCESS_KEY: '' },
      /^ConfigError: AWS_SECRET_ACCESS_KEY is missing: STORAGE_URL needs it$/,
    ],
    [
      { ...settings, AWS_SECRET_ACCESS_KEY: 'a secret' },
      /^ConfigError: AWS_SECRET_ACCESS_KEY is wrong: text without blanks is expected$/,
    ],
    [
      { ...settings, AWS_SECRET_ACCESS_KEY_FILE: '/x' },
      /^ConfigError: AWS_SECRET_ACCESS_KEY and AWS_SECRET_ACCESS_KEY_FILE are both set: keep one$/,
    ],
    [{ BACKUP_DIR: 's3://proofs?region=x' }, /^ConfigError: AWS_ACCESS_KEY_ID is missing: BACKUP_DIR needs it$/],
  ]
  for (const [environment, line] of faults) assert.throws(() => read(environment), line)
})

test('identity providers are read; Google gets a button only with its secret', () => {
  assert.deepEqual(read({ OIDC_ISSUER: 'https://id.example/realm', OIDC_CLIENT_ID: 'desk' }).identityProviders, [
    {
      id: 'oidc',
      name: 'id.example',
      issuer: 'https://id.example/realm',
      clientId: 'desk',
      clientSecret: undefined,
      hasButton: true,
    },
  ])
  const google = { GOOGLE_CLIENT_ID: 'g' }
  assert.deepEqual(
    read(google).identityProviders.map(({ name, issuer, hasButton }) => [name, issuer, hasButton]),
    [['Google', 'https://accounts.google.com', false]],
  )
  const both = read({
    ...google,
    GOOGLE_CLIENT_SECRET: 's',
    GOOGLE_ISSUER: 'http://127.0.0.1:9000',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'desk',
    OIDC_NAME: 'City ID',
  })
  assert.deepEqual(
    both.identityProviders.map(({ name, issuer, hasButton }) => [name, issuer, hasButton]),
    [
      ['Google', 'http://127.0.0.1:9000', true],
      ['City ID', 'https://id.example', true],
    ],
  )
})

test('half the settings of an identity provider are refused', () => {
  const wrong: [Environment, RegExp][] = [
    [{ OIDC_ISSUER: 'https://id.example' }, /OIDC_CLIENT_ID is missing/],
    [{ OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 'hush' }, /OIDC_ISSUER is missing/],
    [{ OIDC_NAME: 'City ID' }, /OIDC_ISSUER is missing/],
    [{ GOOGLE_ISSUER: 'https://id.example' }, /GOOGLE_CLIENT_ID is missing/],
    [
      { GOOGLE_CLIENT_ID: 'g', OIDC_ISSUER: 'https://accounts.google.com', OIDC_CLIENT_ID: 'o' },
      /OIDC_ISSUER is wrong: it is the issuer of GOOGLE_CLIENT_ID already/,
    ],
  ]
  for (const [environment, message] of wrong) assert.throws(() => read(environment), message)
})

test('a secret may stand in a file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-config-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret')
  await writeFile(file, 'postgres://u:p@localhost/x\n')
  assert.equal(read({ DATABASE_URL_FILE: file }).databaseUrl, 'postgres://u:p@localhost/x')
  assert.throws(() => read({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://x' }), /are both set/)
  assert.throws(
    () => read({ KEY_PASSPHRASE_FILE: join(folder, 'gone') }),
    /KEY_PASSPHRASE_FILE is wrong: .*cannot be read/,
  )
  await writeFile(file, '')
  assert.throws(() => read({ SMTP_URL_FILE: file }), /is empty/)
})

test('14.1 the name of the log can be set, with the domain of whoever runs it', () => {
  const readName = (LOG_ORIGIN: string) => readConfig({ LOG_ORIGIN }, '/srv').logOrigin
  assert.equal(readName('proof.example/log'), 'proof.example/log')
  for (const wrong of ['Proof.example', 'proof.example/', 'a b', 'x\ny', 'x+y', '/log'])
    assert.throws(() => readName(wrong), /^ConfigError: LOG_ORIGIN is wrong: a name such as/)
})

test('17.6 a token for metrics that could be guessed is refused', () => {
  const readToken = (METRICS_TOKEN: string) => readConfig({ METRICS_TOKEN }, '/srv').metricsToken
  assert.equal(readToken('0123456789abcdef'), '0123456789abcdef')
  for (const token of ['short', '0123456789 abcdef', 'x'.repeat(201)])
    assert.throws(() => readToken(token), /^ConfigError: METRICS_TOKEN is wrong: 16 to 200 letters/)
})

test('14.76 a file of witnesses, or of logs to witness, is taken in its form alone, and a wrong one is one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-config-'))
  const path = join(folder, 'file')
  const keyOf = (name: string, type: number, byte: number) =>
    formatVerifierKey(name, new Uint8Array(32).fill(byte), type)
  const witness = (n: number, url = ' https://w.example/w') => `witness w${n} ${keyOf(`w.example/${n}`, 4, n)}${url}\n`
  const readFiles = async (name: 'WITNESS_POLICY' | 'WITNESS_LOGS', text: string) => {
    await writeFile(path, text)
    return read({ [name]: path })
  }
  const { witnessPolicy } = await readFiles(
    'WITNESS_POLICY',
    `# ours\r\n${witness(1)}\n${witness(2)} \t\ngroup g 1 w1 w2 # any\nquorum g`,
  )
  assert.equal(witnessPolicy, `${witness(1)}${witness(2)}group g 1 w1 w2\nquorum g\n`)
  for (const [text, why] of [
    ['', 'its lines are no policy'],
    ['quorum none\n', 'from 1 to 15 lines'],
    [witness(1), 'its lines are no policy'],
    [`${witness(1)}quorum w2\n`, 'its lines are no policy'],
    [`${witness(1, '')}quorum w1\n`, 'each witness in it needs an address'],
    [`${witness(1, ' ftp://w.example')}quorum w1\n`, 'each witness in it needs an address'],
    [`${witness(1, ' https://u:p@w.example')}quorum w1\n`, 'each witness in it needs an address'],
    [
      `${witness(1)}witness w2 ${keyOf('w.example/1', 4, 9)} https://x.example\nquorum w1\n`,
      'two of its keys have one name',
    ],
    [`log ${keyOf('l.example', 1, 7)}\n${witness(1)}quorum w1\n`, 'a log stands in it'],
    [`${Array.from({ length: 16 }, (_, n) => witness(n)).join('')}quorum w1\n`, 'from 1 to 15 lines'],
    ['-----BEGIN PRIVATE KEY-----\n', 'its lines are no policy'],
  ] as const)
    await assert.rejects(readFiles('WITNESS_POLICY', text), {
      name: 'ConfigError',
      message: new RegExp(`^WITNESS_POLICY is wrong: ${why}`),
    })
  const log = keyOf('l.example', 1, 7)
  assert.deepEqual((await readFiles('WITNESS_LOGS', `log ${log}\nquorum none\n`)).witnessedLogs, [log])
  for (const text of ['', witness(1), `log ${log}\n${witness(1)}`, `log ${log}\nlog ${log}\n`, 'log x\n'])
    await assert.rejects(readFiles('WITNESS_LOGS', text), /^ConfigError: WITNESS_LOGS is wrong: [^\n]+$/)
  assert.throws(
    () => read({ WITNESS_LOGS: join(folder, 'gone') }),
    /^ConfigError: WITNESS_LOGS is wrong: the file it names cannot be read$/,
  )
  assert.deepEqual([read({}).witnessPolicy, read({}).witnessedLogs], [undefined, []])
  await rm(folder, { recursive: true })
})
