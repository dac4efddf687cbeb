// Which file may import what, for the linter's rule no-restricted-imports: one list for each room, the first that matches
// a file. Ranks of features, tables and what needs more than a specifier to judge stand in the other files of this folder.

interface Refusal {
  /** Of the specifier as written. */
  regex: string
  /** Only these names of it. */
  importNames?: string[]
  allowTypeImports?: boolean
  message: string
}

interface Room {
  files: string[]
  excludeFiles?: string[]
  refused: Refusal[]
}

const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/testing.ts', '**/testing/**']

const OURS = ['proof', 'contract', 'certify', 'server', 'demo', 'verifier', 'web']

/** Packages of ours but those named. The linter's expressions know no look-ahead. */
function othersThan(room: string, ...below: string[]): Refusal {
  const others = OURS.filter((name) => name !== room && !below.includes(name))
  const lies = below.length > 0 ? `below it lies ${below.join(', ')}` : 'nothing of ours lies below it'
  return {
    regex: `^@proofdesk/(${others.join('|')})(/|$)`,
    message: `packages/${room} may not import this: ${lies}. What both need belongs in the lower one.`,
  }
}

const noNode = (room: string): Refusal => ({
  regex: '^node:',
  message: `${room} also runs in browsers and imports nothing from Node: pass what it needs as an argument.`,
})

/** Work that stops every other request while it lasts. */
export const HEAVY = ['@libpdf/core', 'sharp', 'harfbuzzjs', 'bidi-js', 'file-type']

const SERVER: Refusal[] = [
  { regex: '^@proofdesk/web', message: 'the server never imports web: what both need is a rule in contract.' },
  {
    regex: `^(${HEAVY.join('|')})$`,
    allowTypeImports: true,
    message: 'it would block every request: this work belongs into a worker of certify, behind its pool.',
  },
  { regex: '^@proofdesk/certify/testing', message: '@proofdesk/certify/testing is for tests only.' },
  {
    regex: '^@proofdesk/certify/types$',
    allowTypeImports: true,
    message: 'take types with `import type`: nothing of certify but its pool runs here.',
  },
]

const HASHING: Refusal = {
  regex: '^node:crypto$',
  importNames: ['createHash', 'hash', 'pbkdf2Sync', 'scryptSync', 'default'],
  message:
    'hashing on the main thread is for tokens, audit entries, and uploads as they pass; import single names from node:crypto.',
}

const NO_FEATURE: Refusal = {
  regex: '/features/',
  message: 'the platform knows no feature: pass what it needs from app.ts, or move the shared thing below it.',
}
const ONE_VALUE: Refusal = {
  regex: 'features/[^/]+/feature\\.ts$|^\\.\\./[^/.]+/feature\\.ts$',
  message: 'only app.ts imports feature.ts.',
}
const ROUTES: Refusal = { regex: '/routes\\.ts$', message: 'only the feature.ts beside it imports routes.ts.' }

const WEB: Refusal[] = [
  {
    regex: '^@proofdesk/server',
    message:
      'web never imports the server: what both need is a rule in contract; only tests may use @proofdesk/server/testing.',
  },
  { regex: '^@proofdesk/certify', message: 'certify does not lie below packages/web.' },
  noNode('packages/web'),
  { regex: '/testing/', message: 'web/src/testing is for tests only.' },
  {
    regex: '^react-toastify$',
    message:
      'Its main entry writes a <style> element, which our Content-Security-Policy refuses: import react-toastify/unstyled.',
  },
]
const ROOF: Refusal = {
  regex: '^\\.\\./(\\.\\./)*app/',
  message: 'app/ is the roof and imported by nobody: move the shared thing into ui/ or lib/.',
}

export const ROOMS: Room[] = [
  {
    files: ['packages/proof/src/**'],
    excludeFiles: TESTS,
    refused: [othersThan('proof'), noNode('packages/proof')],
  },
  {
    files: ['packages/contract/src/**'],
    excludeFiles: TESTS,
    refused: [othersThan('contract', 'proof'), noNode('packages/contract')],
  },
  { files: ['packages/certify/src/**'], refused: [othersThan('certify', 'proof')] },
  { files: ['packages/server/src/**'], excludeFiles: TESTS, refused: [...SERVER, HASHING, NO_FEATURE] },
  {
    files: [
      'packages/server/src/secrets/tokens.ts',
      'packages/server/src/blobs/hashing-stream.ts',
      // In a command, beside the server.
      'packages/server/src/db/copy/row-digest.ts',
      'packages/server/src/audit/hash-entry.ts',
      // One page, at the start.
      'packages/server/src/http/offline-page.ts',
    ],
    refused: [...SERVER, NO_FEATURE],
  },
  {
    // An erasure takes what all features keep, for both.
    files: ['packages/server/src/{start,admin,erasure}/**'],
    excludeFiles: TESTS,
    refused: [...SERVER, HASHING, ONE_VALUE, ROUTES],
  },
  { files: ['packages/server/src/app.ts'], refused: [...SERVER, HASHING, ROUTES] },
  {
    files: ['packages/server/src/features/**'],
    excludeFiles: TESTS,
    refused: [...SERVER, HASHING, ONE_VALUE, ROUTES],
  },
  { files: ['packages/server/src/features/*/feature.ts'], refused: [...SERVER, HASHING, ONE_VALUE] },
  {
    files: ['packages/verifier/src/**'],
    excludeFiles: [...TESTS, 'packages/verifier/src/cli/**'],
    refused: [othersThan('verifier', 'proof'), noNode('packages/verifier')],
  },
  { files: ['packages/verifier/src/cli/**'], excludeFiles: TESTS, refused: [othersThan('verifier', 'proof')] },
  { files: ['packages/demo/src/**'], refused: [othersThan('demo', 'server', 'contract', 'certify', 'proof')] },
  { files: ['packages/web/src/**'], excludeFiles: TESTS, refused: WEB },
  {
    files: ['packages/web/src/{ui,lib}/**'],
    excludeFiles: TESTS,
    refused: [
      ...WEB,
      ROOF,
      { regex: '/features/', message: 'ui/ and lib/ know no feature: pass what it needs as a prop or an argument.' },
    ],
  },
  {
    files: ['packages/web/src/features/**'],
    excludeFiles: TESTS,
    refused: [
      ...WEB,
      ROOF,
      {
        regex: '^\\.\\./[^.]|/features/',
        message:
          'a feature may not import another: join them on a page in app/, or move the shared thing into ui/ or lib/.',
      },
    ],
  },
]
