import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import type { MailRecord } from '@proofdesk/contract/mail-delivery'
import { readConfig } from '../../config/config.ts'
import { startNameServer, type TestNameServer } from '../../testing/name-server.ts'
import { lookUpMailRecords } from './look-up.ts'
import { openResolver } from './open-resolver.ts'

const makeKey = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
const ours = makeKey()
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64')
const FITTING = `v=DKIM1; k=rsa; p=${publicOf(ours.publicKey)}`

const SIGNING = { DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'desk', DKIM_KEY: pemOf(ours.privateKey) }
const SETTINGS = { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'desk@example.org', ...SIGNING }

async function lookUp(server: TestNameServer, settings: Record<string, string> = SETTINGS) {
  const records = await lookUpMailRecords(readConfig(settings), openResolver(server.address))
  return Object.fromEntries(records.map((record) => [record.kind, record])) as Record<MailRecord['kind'], MailRecord>
}

test('8.83 what fits is told, with what stands there', async (t) => {
  const server = await startNameServer(t, {
    'example.org': ['google-site-verification=x', 'v=spf1 a:mail.example.org -all'],
    'desk._domainkey.example.org': [FITTING],
    '_dmarc.example.org': ['v=DMARC1; p=reject'],
  })
  assert.deepEqual(await lookUp(server), {
    spf: {
      kind: 'spf',
      name: 'example.org',
      found: ['v=spf1 a:mail.example.org -all'],
      verdict: 'fits',
      publish: null,
    },
    dkim: { kind: 'dkim', name: 'desk._domainkey.example.org', found: [FITTING], verdict: 'fits', publish: null },
    dmarc: { kind: 'dmarc', name: '_dmarc.example.org', found: ['v=DMARC1; p=reject'], verdict: 'fits', publish: null },
  })
})

test('8.83 where nothing stands, the lines to publish are those that would fit', async (t) => {
  const server = await startNameServer(t)
  const { spf, dkim, dmarc } = await lookUp(server)
  assert.deepEqual([spf.verdict, dkim.verdict, dmarc.verdict], ['missing', 'missing', 'missing'])
  assert.equal(spf.publish, 'example.org. IN TXT "v=spf1 a:mail.example.org ~all"')
  assert.equal(dmarc.publish, '_dmarc.example.org. IN TXT "v=DMARC1; p=none"')
  for (const { name, publish } of [spf, dkim, dmarc]) {
    const [, strings = ''] = publish?.split(' IN TXT ') ?? []
    const parts = [...strings.matchAll(/"([^"]*)"/g)].map(([, one]) => one ?? '')
    assert.ok(parts.every((one) => one.length <= 255))
    server.texts[name] = [parts.join('')]
  }
  const after = await lookUp(server)
  assert.deepEqual([after.spf.verdict, after.dkim.verdict, after.dmarc.verdict], ['fits', 'fits', 'asks_nothing'])
})

test('8.83 of SPF it is told what makes it useless, and the line that mends it', async (t) => {
  const server = await startNameServer(t)
  for (const [records, verdict, mended] of [
    [['v=spf1 include:a.example -all', 'v=spf1 mx ~all'], 'several', 'v=spf1 include:a.example mx ~all'],
    [['v=spf1 mx +all'], 'allows_all', 'v=spf1 mx ~all'],
    [['v=spf1 mx all'], 'allows_all', 'v=spf1 mx ~all'],
    [['v=spf1 mx ?all'], 'says_nothing', 'v=spf1 mx ~all'],
    [['v=spf1 ip4:192.0.2.1'], 'says_nothing', 'v=spf1 ip4:192.0.2.1 ~all'],
    // Whoever publishes another line in its place shuts out who else sends by it.
    [['v=spf1 mx, a -all'], 'malformed', null],
    [
      [`v=spf1 ${Array.from({ length: 11 }, (_, n) => `include:s${n}.example`).join(' ')} -all`],
      'too_many_lookups',
      null,
    ],
    [['v=spf10 mx -all'], 'missing'],
    [['v=spf1 redirect=_spf.example'], 'fits'],
    [['V=SPF1 ip6:2001:db8::/32 A:mail.example.org/24 ?MX exists:%{i}.x.example -ALL'], 'fits'],
  ] as const) {
    server.texts['example.org'] = records
    const { spf } = await lookUp(server)
    assert.equal(spf.verdict, verdict, records[0])
    if (mended !== undefined) assert.equal(spf.publish, mended && `example.org. IN TXT "${mended}"`)
  }
})

test('8.84 a published key is compared with the one that signs', async (t) => {
  const server = await startNameServer(t)
  const pkcs1 = ours.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
  const p = publicOf(ours.publicKey)
  for (const [records, verdict] of [
    [[`p=${p}`], 'fits'],
    [[`v=DKIM1; h=sha1:sha256; s=*; t=s; p=${p};`], 'fits'],
    [[`k=rsa; p=${pkcs1}`], 'fits'],
    [[`v=DKIM1; p=${p.slice(0, 100)} ${p.slice(100)}`], 'fits'],
    [[`v=DKIM1; p=${publicOf(makeKey().publicKey)}`], 'other_key'],
    [['v=DKIM1; p='], 'withdrawn'],
    [[`v=DKIM1; t=y; p=${p}`], 'test_only'],
    [[`v=DKIM1; k=ed25519; p=${p}`], 'malformed'],
    [[`v=DKIM1; h=sha1; p=${p}`], 'malformed'],
    [[`v=DKIM1; s=tlsrpt; p=${p}`], 'malformed'],
    [[`k=rsa; v=DKIM1; p=${p}`], 'malformed'],
    [[`v=DKIM2; p=${p}`], 'malformed'],
    [[`v=DKIM1; p=${p}; p=${p}`], 'malformed'],
    [['v=DKIM1; p=AAAA'], 'malformed'],
    [['v=DKIM1'], 'malformed'],
    [['no record of this kind'], 'malformed'],
    [[FITTING, FITTING], 'several'],
  ] as const) {
    server.texts['desk._domainkey.example.org'] = records
    const { dkim } = await lookUp(server)
    assert.equal(dkim.verdict, verdict, records[0])
    assert.equal(dkim.publish === null, verdict === 'fits', records[0])
  }
})

test('8.84 a signature for another domain than the sender’s is told, and one that DMARC counts is not', async (t) => {
  const server = await startNameServer(t)
  const judge = async (sender: string, signing: string, dmarc?: Record<string, string[]>) => {
    server.texts = { [`desk._domainkey.${signing}`]: [FITTING], ...dmarc }
    return (await lookUp(server, { ...SETTINGS, MAIL_FROM: `desk@${sender}`, DKIM_DOMAIN: signing })).dkim.verdict
  }
  const at = (domain: string, text: string) => ({ [`_dmarc.${domain}`]: [text] })
  assert.equal(await judge('example.org', 'example.net'), 'other_domain')
  assert.equal(await judge('mail.example.org', 'example.org'), 'fits')
  assert.equal(await judge('example.org', 'mail.example.org'), 'fits')
  assert.equal(await judge('example.org', 'badexample.org'), 'other_domain')
  assert.equal(await judge('a.example.org', 'b.example.org', at('example.org', 'v=DMARC1; p=reject')), 'fits')
  assert.equal(await judge('a.example.org', 'b.example.org', at('a.example.org', 'v=DMARC1; p=reject')), 'other_domain')
  assert.equal(
    await judge('a.example.org', 'example.org', at('example.org', 'v=DMARC1; p=reject; adkim=s')),
    'other_domain',
  )
})

test('8.83 the policy of DMARC is that of the nearest domain that has one', async (t) => {
  const server = await startNameServer(t)
  for (const [texts, name, verdict] of [
    [{ '_dmarc.a.b.example.org': ['v=DMARC1;p=quarantine'] }, '_dmarc.a.b.example.org', 'fits'],
    [{ '_dmarc.b.example.org': ['v=DMARC1; p=reject; sp=none'] }, '_dmarc.b.example.org', 'asks_nothing'],
    [{ '_dmarc.example.org': ['v=DMARC1; p=none; sp=reject'] }, '_dmarc.example.org', 'fits'],
    [{ '_dmarc.a.b.example.org': ['p=reject; v=DMARC1'] }, '_dmarc.a.b.example.org', 'missing'],
    [{ '_dmarc.a.b.example.org': ['v=DMARC1; p=perhaps'] }, '_dmarc.a.b.example.org', 'malformed'],
    [{ '_dmarc.a.b.example.org': ['v=DMARC1'] }, '_dmarc.a.b.example.org', 'malformed'],
    [{ '_dmarc.example.org': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, '_dmarc.example.org', 'several'],
    [{ '_dmarc.org': ['v=DMARC1; p=reject'] }, '_dmarc.a.b.example.org', 'missing'],
  ] as const) {
    server.texts = texts
    const { dmarc } = await lookUp(server, { ...SETTINGS, MAIL_FROM: 'desk@a.b.example.org' })
    assert.deepEqual([dmarc.name, dmarc.verdict], [name, verdict])
  }
})

test('8.83 a name server that fails says nothing of the records, and foreign text is shown in printable letters', async (t) => {
  const server = await startNameServer(t, {
    'example.org': 'failed',
    'desk._domainkey.example.org': [`v=DKIM1; n=\u001b[2J\n"x; p=${publicOf(ours.publicKey)}`],
    '_dmarc.example.org': 'failed',
  })
  const { spf, dkim, dmarc } = await lookUp(server)
  assert.deepEqual([spf.verdict, spf.publish, dmarc.verdict, dmarc.publish], ['silent', null, 'silent', null])
  assert.match(dkim.found[0] ?? '', /^v=DKIM1; n=\?\[2J\?"x; p=/)
})

test('8.83 without a domain or a key it is said which setting is missing', async (t) => {
  const server = await startNameServer(t)
  const unsigned = await lookUp(server, { MAIL_FROM: 'desk@example.org', PUBLIC_URL: 'https://proof.example' })
  assert.deepEqual([unsigned.dkim.verdict, unsigned.dkim.publish], ['not_signed', null])
  assert.equal(unsigned.spf.publish, 'example.org. IN TXT "v=spf1 a:proof.example ~all"')
  for (const sender of ['desk@localhost', 'desk@127.0.0.1', 'desk@a.localhost']) {
    const asked = server.asked.length
    assert.equal((await lookUp(server, { MAIL_FROM: sender })).spf.verdict, 'no_domain')
    assert.equal(server.asked.length, asked)
  }
})
