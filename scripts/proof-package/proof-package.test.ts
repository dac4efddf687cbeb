import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ROOT } from '../launch/project.mjs'
import { compileProof, readManifest } from './compile-proof.ts'

/** Somebody else's project, with nothing but the package in it. */
describe('the proof package can be published by itself', () => {
  let project: string
  let folder: string
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'proofdesk-published-'))
    folder = join(project, 'node_modules/@proofdesk/proof')
    mkdirSync(dirname(folder), { recursive: true })
    compileProof(folder)
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  })
  after(() => rmSync(project, { recursive: true }))

  test('its page of the interface has every function that its modules export, with its comment', async () => {
    const sections = new Map(
      readFileSync(join(folder, 'API.md'), 'utf8')
        .split(/^## /m)
        .map((section) => [section.slice(0, section.indexOf('\n')), section]),
    )
    for (const name of Object.keys(readManifest().exports)) {
      const section = sections.get(`\`@proofdesk/proof${name.slice(1)}\``) ?? ''
      const module = (await import(join(folder, `dist/${name}.js`))) as Record<string, unknown>
      for (const exported of Object.keys(module)) {
        assert.match(section, new RegExp(`^(class|const|function) ${exported}\\b`, 'm'), name)
      }
    }
    assert.match(sections.get('`@proofdesk/proof/log/tree`') ?? '', /\*\/\nfunction verifyInclusion\(/)
  })

  test('Node loads every module of it, and its own vectors pass', () => {
    const names = Object.keys(readManifest().exports).map((name) => `@proofdesk/proof${name.slice(1)}`)
    const program = `
      import { readFileSync } from 'node:fs'
      import { verifyInclusion } from '@proofdesk/proof/log/tree'
      for (const name of ${JSON.stringify(names)}) await import(name)
      const path = import.meta.dirname + '/node_modules/@proofdesk/proof/vectors/inclusion.json'
      const read = (text) => new Uint8Array(Buffer.from(text, 'base64'))
      const told = JSON.parse(readFileSync(path, 'utf8')).map(({ code, leafHash, path, root, ...rest }) => {
        try {
          verifyInclusion({ ...rest, leafHash: read(leafHash), path: path.map(read), root: read(root) })
          return code === undefined
        } catch (error) {
          return error.code === code
        }
      })
      console.log(told.length > 100 && told.every(Boolean))
    `
    writeFileSync(join(project, 'use.mjs'), program)
    assert.equal(execFileSync(process.execPath, ['use.mjs'], { cwd: project, encoding: 'utf8' }), 'true\n')
  })

  test('a strict TypeScript project reads its declarations', () => {
    const program = `import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
      import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
      export const judge = (pdf: Uint8Array<ArrayBuffer>, policy: Uint8Array<ArrayBuffer>): Promise<DocumentReport> =>
        verifyDocument(pdf, { policy: parseInstancePolicy(policy), now: Date.now() })
    `
    writeFileSync(join(project, 'use.ts'), program)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--lib',
      'es2025,dom',
      '--types',
      '',
    ]
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, 'use.ts'], {
      cwd: project,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
  })
})
