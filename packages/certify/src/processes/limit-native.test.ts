import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** A process of its own, since there is no way back. */
const PROGRAM = `
  import sharp from 'sharp'
  import { createRequire } from 'node:module'
  import { limitNative } from ${JSON.stringify(join(import.meta.dirname, 'limit-native.ts'))}
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
  const made = {}
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif']) made[format] = await picture.clone()[format]().toBuffer()
  made.svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
  limitNative()
  const told = {}
  for (const [format, bytes] of Object.entries(made))
    told[format] = await sharp(bytes).raw().toBuffer().then(() => 'read', () => 'refused')
  const library = Object.keys(createRequire(import.meta.url).cache ?? {}).find((path) => path.endsWith('.node'))
  try {
    process.dlopen({ exports: {} }, library ?? process.execPath)
    told.library = 'loaded'
  } catch (error) {
    told.library = error.message
  }
  console.log(JSON.stringify(told))`

test('a parsing process reads no image but PNG and JPEG, and loads no further native code', () => {
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  assert.equal(ran.status, 0, ran.stderr)
  const refused = { webp: 'refused', gif: 'refused', tiff: 'refused', avif: 'refused', svg: 'refused' }
  assert.deepEqual(JSON.parse(ran.stdout), {
    png: 'read',
    jpeg: 'read',
    ...refused,
    library: 'no further native code is loaded here',
  })
})
