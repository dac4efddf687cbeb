import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUpwards } from './read-upwards.ts'

test('an order and the same turned round stand once in docs/sql, and no others', () => {
  const upwards =
    'select id from (select id from c order by place asc, id asc limit ?) as p order by p.place asc limit ?'
  assert.equal(readUpwards(upwards), upwards)
  assert.equal(readUpwards(upwards.replace('place asc, id asc', 'place desc, id desc')), upwards)
  assert.equal(readUpwards(upwards.replaceAll(' asc', ' desc')), upwards)
  assert.equal(readUpwards('order by name collate "C" desc, id desc'), 'order by name collate "C" asc, id asc')
  for (const mixed of ['order by place desc, id asc', 'order by place asc, id desc', 'order by place desc, id'])
    assert.equal(readUpwards(mixed), mixed)
})
