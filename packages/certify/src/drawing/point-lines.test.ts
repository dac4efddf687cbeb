import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lengthenPointLines } from './point-lines.ts'

const lengthen = (content: string) => lengthenPointLines(Buffer.from(content))?.toString()

test('What has a length, or is not drawn along, is left as it is', () => {
  for (const content of [
    '10 20 m 10 21 l S',
    '10 20 m 30 20 l 10 20 l s',
    '10 20 m S',
    '10 20 m 10 20 l f',
    '10 20 0 0 re W n',
    '10 20 0 5 re S',
    'BT (10 20 m 10 20 l S) Tj ET',
    '10 20 m 10 20 m 30 20 l S',
    '10 20 m 10 20 l 30 20 l S',
  ])
    assert.equal(lengthen(content), undefined, content)
})

test('A line without length has one of a fraction of a point, and whatever goes on from there begins there', () => {
  assert.equal(lengthen('10 20 m 10 20 l S'), '10 20 m 10.0001 20 l S')
  assert.equal(lengthen('1 w 10 20 m 10 20 l h 40 20 l S'), '1 w 10 20 m 10.0001 20 l 10 20 m 40 20 l S')
  assert.equal(lengthen('10 20 m 30 20 l h 10 20 l S'), '10 20 m 30 20 l h 10 20 m 10.0001 20 l S')
  assert.equal(lengthen('600 20 m 600 20 l b*'), '600 20 m 600.0022888 20 l B*')
  assert.equal(lengthen('0 0 m 9 9 l 10 20 m s'), '0 0 m 9 9 l 10 20 m 10.0001 20 l S')
  assert.equal(lengthen('5 5 m 10 20 m 10 20 l 7 7 m S'), '5 5 m 10 20 m 10.0001 20 l 7 7 m S')
})
