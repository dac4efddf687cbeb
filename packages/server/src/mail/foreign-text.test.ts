import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeIsolates, isolate } from './foreign-text.ts'

const [FSI, PDI, RLI, RLO] = ['\u2068', '\u2069', '\u2067', '\u202e']

test('text that could turn the order of our words is set apart, any other is left as it is', () => {
  for (const turning of ['قرارداد', 'חוזה (3)', 'Unit ۱۲', `a${RLO}b`, '𐤀𐤁'])
    assert.equal(isolate(turning), `${FSI}${turning}${PDI}`)
  for (const calm of ['Ada', '租赁合同', 'यूसुफ़', 'Дмитрий', 'Ελένη', 'Nguyễn', '👩🏽‍⚖️', '12–14', ''])
    assert.equal(isolate(calm), calm)
})

test('nothing that is typed ends what sets it apart, or goes on after it', () => {
  assert.equal(isolate(`${PDI}${PDI}چپ`), `${FSI}چپ${PDI}`)
  assert.equal(isolate(`${RLI}${FSI}چپ`), `${FSI}${RLI}${FSI}چپ${PDI}${PDI}${PDI}`)
  assert.equal(closeIsolates(`${RLI}x${PDI}${PDI}y`), `${RLI}x${PDI}y`)
  assert.equal(closeIsolates('plain'), 'plain')
})
