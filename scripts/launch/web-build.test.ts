import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from './project.mjs'

/** A project with the real launcher and the real Vite, but an app of one line. */
function makeProject(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-build-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  cpSync(join(ROOT, 'scripts/launch'), join(root, 'scripts/launch'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  write('package.json', '{ "type": "module" }')
  write('packages/web/index.html', '<script type="module" src="/src/main.ts"></script>')
  write('packages/web/src/main.ts', 'console.log("first version")')
  write('packages/web/src/main.test.ts', 'test')
  const offline = 'packages/verifier/dist/verify.html'
  const copy = `import { cpSync } from 'node:fs'; cpSync('packages/verifier/src/page.html', '${offline}')`
  write('packages/verifier/build.ts', copy)
  write('packages/verifier/src/page.html', 'first page')

  const build = () => {
    const code = `
      import { ensureWebBuilt } from './scripts/launch/web-build.mjs'
      await ensureWebBuilt(process.execPath)
    `
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      encoding: 'utf8',
    })
    return { status, built: stderr.includes('Building the web app …'), stderr }
  }
  const page = () => readFileSync(join(root, 'packages/web/dist/index.html'), 'utf8')
  const offlinePage = () => readFileSync(join(root, offline), 'utf8')
  return { root, write, build, page, offlinePage }
}

test('the web app is built when it is stale, and only then', (t) => {
  const { root, write, build, page } = makeProject(t)
  assert.deepEqual([build().built, build().built], [true, false])
  const first = page()

  write('packages/web/src/main.test.ts', 'another test')
  assert.equal(build().built, false)

  write('packages/contract/src/limits.ts', 'export const limit = 1')
  assert.equal(build().built, true)

  write('packages/web/src/main.ts', 'console.log("second version")')
  assert.equal(build().built, true)
  assert.notEqual(page(), first)
  assert.equal(existsSync(join(root, 'packages/web/dist.next')), false)
  assert.equal(existsSync(join(root, '.launch.lock')), false)
})

test('a build that fails is an error and leaves the last good one in place', (t) => {
  const { write, build, page } = makeProject(t)
  build()
  const good = page()
  write('packages/web/src/main.ts', 'import "./missing.ts"')
  const { status, stderr } = build()
  assert.equal(status, 1)
  assert.match(stderr, /The web app could not be built/)
  assert.equal(page(), good)
})

test('the offline page is built with the web app, and again when it is stale or gone', (t) => {
  const { root, write, build, offlinePage } = makeProject(t)
  build()
  assert.equal(offlinePage(), 'first page')
  write('packages/verifier/src/page.html', 'second page')
  assert.equal(build().built, true)
  assert.equal(offlinePage(), 'second page')
  rmSync(join(root, 'packages/verifier/dist'), { recursive: true })
  assert.equal(build().built, true)
  assert.equal(offlinePage(), 'second page')
  write('packages/verifier/build.ts', 'process.exit(3)')
  const { status, stderr } = build()
  assert.equal(status, 1)
  assert.match(stderr, /The offline page could not be built/)
})
