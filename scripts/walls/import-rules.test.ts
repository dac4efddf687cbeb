import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintPlanted, type Fault } from './planted-house.ts'

const lines = (count: number) => 'export const a = 1\n'.repeat(1) + '// line\n'.repeat(count - 1)
const SERVER = 'packages/server/src'
const WEB = 'packages/web/src'

/** What the linter refuses, by the same lists as in `npm run check`. */
const FAULTS_OF_LINT: Fault[] = [
  {
    name: 'files that need each other',
    files: {
      'packages/proof/src/hen.ts': "import { b } from './egg.ts'\nexport const a = b\n",
      'packages/proof/src/egg.ts': "import { a } from './hen.ts'\nexport const b = a\n",
    },
    refused: /hen\.ts:1: Dependency cycle/,
  },
  {
    name: 'files that need the types of each other',
    files: {
      'packages/proof/src/hen.ts': "import type { Egg } from './egg.ts'\nexport interface Hen { egg: Egg }\n",
      'packages/proof/src/egg.ts': "import type { Hen } from './hen.ts'\nexport interface Egg { hen: Hen }\n",
    },
    refused: /hen\.ts:1: Dependency cycle/,
  },
  {
    name: 'proof that imports another package of ours',
    files: { 'packages/proof/src/bad.ts': "import '@proofdesk/contract/errors'\n" },
    refused: /proof\/src\/bad\.ts:1: .*contract.* packages\/proof may not import this/,
  },
  {
    name: 'proof that imports from Node',
    files: { 'packages/proof/src/bad.ts': "\nimport { readFileSync } from 'node:fs'\nreadFileSync\n" },
    refused: /proof\/src\/bad\.ts:2: .* packages\/proof also runs in browsers/,
  },
  {
    name: 'contract that imports from Node',
    files: { 'packages/contract/src/bad.ts': "const fs = await import('node:fs')\nfs\n" },
    refused: /packages\/contract also runs in browsers/,
  },
  {
    name: 'web that imports from Node',
    files: { [`${WEB}/lib/bad.ts`]: "export { join } from 'node:path'\nexport const a = 1\n" },
    refused: /packages\/web also runs in browsers/,
  },
  {
    name: 'certify that imports the contract',
    files: {
      'packages/certify/src/bad.ts': "import type { A } from '@proofdesk/contract/errors'\nexport type B = A\n",
    },
    refused: /packages\/certify may not import this/,
  },
  {
    name: 'the server that imports web',
    files: { [`${SERVER}/db/bad.ts`]: "import '@proofdesk/web/app'\n" },
    refused: /the server never imports web/,
  },
  {
    name: 'web that imports the server',
    files: { [`${WEB}/lib/bad.ts`]: "import '@proofdesk/server/testing'\n" },
    refused: /web never imports the server/,
  },
  {
    name: 'the platform that imports a feature',
    files: { [`${SERVER}/http/bad.ts`]: "import type { A } from '../features/users/queries.ts'\nexport type B = A\n" },
    refused: /the platform knows no feature/,
  },
  {
    name: 'a feature that anything but app.ts takes as a whole',
    files: { [`${SERVER}/start/main.ts`]: "import '../features/users/feature.ts'\n" },
    refused: /main\.ts:1: .* only app\.ts imports feature\.ts/,
  },
  {
    name: 'routes that anything but their feature imports',
    files: { [`${SERVER}/start/main.ts`]: "import '../features/users/routes.ts'\n" },
    refused: /main\.ts:1: .* only the feature\.ts beside it imports routes\.ts/,
  },
  {
    name: 'a web feature that imports another',
    files: { [`${WEB}/features/reviews/bad.ts`]: "import '../comments/panel.tsx'\n" },
    refused: /reviews\/bad\.ts:1: .* a feature may not import another/,
  },
  {
    name: 'ui that knows a feature',
    files: { [`${WEB}/ui/bad.tsx`]: "import '../features/comments/panel.tsx'\n" },
    refused: /ui\/bad\.tsx:1: .* know no feature/,
  },
  {
    name: 'lib that knows a feature',
    files: { [`${WEB}/lib/bad.ts`]: "import '../features/comments/panel.tsx'\n" },
    refused: /lib\/bad\.ts:1: .* know no feature/,
  },
  {
    name: 'a web feature that imports the roof',
    files: { [`${WEB}/features/reviews/bad.ts`]: "import '../../app/router.tsx'\n" },
    refused: /app\/ is the roof/,
  },
  {
    name: 'web that uses its test parts',
    files: {
      [`${WEB}/lib/bad.ts`]: "import '../testing/server.ts'\n",
      [`${WEB}/testing/server.ts`]: 'export const a = 1\n',
    },
    refused: /web\/src\/testing is for tests only/,
  },
  {
    name: 'hashing on the main thread',
    files: { [`${SERVER}/blobs/bad.ts`]: "import { createHash } from 'node:crypto'\ncreateHash\n" },
    refused: /'createHash' .* hashing on the main thread is for tokens/,
  },
  {
    name: 'hashing hidden behind the whole of node:crypto',
    files: { [`${SERVER}/blobs/bad.ts`]: "import crypto from 'node:crypto'\ncrypto\n" },
    refused: /import single names from node:crypto/,
  },
  {
    name: 'a PDF library in the server',
    files: { [`${SERVER}/blobs/bad.ts`]: "import '@libpdf/core'\n" },
    refused: /'@libpdf\/core' .* it would block every request/,
  },
  {
    name: 'test parts of certify in the server',
    files: { [`${SERVER}/blobs/bad.ts`]: "import '@proofdesk/certify/testing'\n" },
    refused: /@proofdesk\/certify\/testing is for tests only/,
  },
  {
    name: 'values taken from the types of certify',
    files: { [`${SERVER}/blobs/bad.ts`]: "import '@proofdesk/certify/types'\n" },
    refused: /take types with `import type`/,
  },
  {
    name: 'a file that is too long',
    files: { 'packages/proof/src/long.ts': lines(451) },
    refused: /too many lines \(451\)/,
  },
  {
    name: 'a file name that is not kebab-case',
    files: { 'packages/proof/src/proofId.ts': 'export const a = 1\n' },
    refused: /should be in kebab-case/,
  },
]

for (const { name, files, refused } of FAULTS_OF_LINT) {
  test(`refused by the linter: ${name}`, () => {
    const found = lintPlanted(files)
    assert.ok(
      found.some((line) => refused.test(line)),
      `refused were:\n${found.join('\n')}`,
    )
  })
}
