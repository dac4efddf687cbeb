import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { maskPrivate, nameFailure, openLogger } from './logger.ts'

test('an error is logged with its causes and frames, and without what it quotes', () => {
  const lines: string[] = []
  const logger = openLogger('info', (line) => lines.push(line))
  const cause = Object.assign(new Error('invalid input "top secret" for ada@example.org'), { code: '22P02' })
  logger.fail('broke', new Error(`token ${'a'.repeat(43)}`, { cause }), { id: 7 })
  logger.debug('unheard')
  assert.equal(lines.length, 1)
  const entry = JSON.parse(lines[0] ?? '')
  assert.deepEqual([entry.level, entry.event, entry.id], ['error', 'broke', 7])
  assert.equal(entry.error.message, 'token [token]')
  assert.equal(entry.error.cause.code, '22P02')
  assert.ok(entry.error.stack.length > 0)
  for (const secret of ['secret', 'ada', 'aaaa']) assert.ok(!lines[0]?.includes(secret), secret)
})

test('a line stays one line, whatever is thrown', () => {
  const lines: string[] = []
  const logger = openLogger('warn', (line) => lines.push(line))
  const loop = new Error('loop')
  loop.cause = loop
  for (const thrown of [loop, 'a\nb', undefined, null, { toString: () => 'x' }, new AggregateError([], 'a\nb')])
    logger.fail('event', thrown)
  assert.equal(lines.length, 6)
  for (const line of lines) assert.match(line, /^[^\n]*\n$/)
})

test('the short name of a failure never holds its words', () => {
  assert.equal(nameFailure(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), 'ECONNREFUSED')
  assert.equal(nameFailure(Object.assign(new TypeError('x'), { code: 'ada@example.org' })), 'TypeError')
  assert.equal(nameFailure('ada@example.org'), 'string')
  assert.equal(maskPrivate('550 <ada@example.org> unknown'), '550 <[address]> unknown')
})

test('what is said last is written, whether the process leaves or fails', () => {
  for (const end of ['process.exit(0)', 'throw new Error("no more")']) {
    const program = `import { openLogger } from ${JSON.stringify(new URL('logger.ts', import.meta.url))}
      const logger = openLogger('info')
      logger.info('first')
      setTimeout(() => { logger.info('second'); logger.info('third'); ${end} }, 1)`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    const events = stderr.split('\n').filter((line) => line.startsWith('{'))
    assert.deepEqual(
      events.map((line) => JSON.parse(line).event),
      ['first', 'second', 'third'],
      stderr,
    )
  }
})

test('what is said within a moment is written together, in the order it was said; a warning does not wait', () => {
  const program = `import { openLogger } from ${JSON.stringify(new URL('logger.ts', import.meta.url))}
    const logger = openLogger('info')
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (lines) => (write('written\\n'), write(lines))
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    for (const event of ['one', 'two', 'three']) { logger.info(event); await new Promise(setImmediate) }
    await later(500)
    logger.info('four')
    logger.warn('five')
    await new Promise(setImmediate)
    write('next turn\\n')
    logger.info('six')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const said = stderr
    .trim()
    .split('\n')
    .map((line) => (line.startsWith('{') ? JSON.parse(line).event : line))
  assert.deepEqual(said, ['written', 'one', 'two', 'three', 'written', 'four', 'five', 'next turn', 'written', 'six'])
})
