import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { makeProofId } from './proof-id.ts'
import { drawRosette, toSvgPath, type RosetteDetail } from './rosette.ts'

const ids = Array.from({ length: 500 }, (_, n) => makeProofId(createHash('sha256').update(`rosette ${n}`).digest()))
const draw = (id: string, detail: RosetteDetail) => drawRosette(id, detail).rings.map(toSvgPath).join(' ')
const hashKnownFigure = (detail: RosetteDetail) =>
  createHash('sha256').update(draw('0000-0000-0000-0000-0', detail)).digest('hex').slice(0, 16)
const hashManyFigures = (detail: RosetteDetail) =>
  createHash('sha256')
    .update(
      ids
        .slice(0, 100)
        .map((id) => draw(id, detail))
        .join(),
    )
    .digest('hex')
    .slice(0, 16)
const DETAILS: RosetteDetail[] = ['small', 'large']

/** Greatest distance between two figures with as many rings, in units of the box; any other pair differs anyway. */
function measureDifference(one: string, other: string, detail: RosetteDetail): number {
  const [a, b] = [drawRosette(one, detail).rings, drawRosette(other, detail).rings]
  if (a.length !== b.length) return Infinity
  let greatest = 0
  for (const [i, ring] of a.entries()) {
    for (const [k, point] of ring.entries()) {
      const near = b[i]![k]!
      greatest = Math.max(greatest, Math.hypot(point.x - near.x, point.y - near.y))
    }
  }
  return greatest
}

for (const detail of DETAILS) {
  test(`the same Proof ID always gives the same ${detail} figure`, () => {
    for (const id of ids.slice(0, 20)) assert.deepEqual(drawRosette(id, detail), drawRosette(id, detail))
  })

  test(`500 Proof IDs give 500 ${detail} figures`, () => {
    assert.equal(new Set(ids.map((id) => draw(id, detail))).size, ids.length)
  })

  test(`Proof IDs of one changed symbol give ${detail} figures that differ visibly`, () => {
    for (const id of ids.slice(0, 40)) {
      const other = (id.startsWith('7') ? '8' : '7') + id.slice(1)
      assert.ok(measureDifference(id, other, detail) > 2, `${id} ${other}`)
    }
  })

  test(`the ${detail} figure stays inside its box, pen included`, () => {
    for (const id of ids) {
      for (const { x, y } of drawRosette(id, detail).rings.flat()) {
        assert.ok(x >= 1.2 && x <= 98.8 && y >= 1.2 && y <= 98.8, `${id} ${x} ${y}`)
      }
    }
  })
}

test('the small figure has at most four lines', () => {
  for (const id of ids) assert.ok(drawRosette(id, 'small').rings.length <= 4)
})

test('a path starts with M, joins its points with lines and closes', () => {
  const path = toSvgPath([
    { x: 50, y: 2 },
    { x: 52.1, y: 2.5 },
  ])
  assert.equal(path, 'M50 2L52.1 2.5Z')
  for (const ring of drawRosette(ids[0]!, 'large').rings)
    assert.match(toSvgPath(ring), /^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+)+Z$/)
})

test('printed certificates keep their figure: the drawings of known Proof IDs do not change', () => {
  assert.deepEqual(DETAILS.map(hashKnownFigure), ['83c9b2c165cd9aea', '855a163bbe47e68e'])
  assert.deepEqual(DETAILS.map(hashManyFigures), ['e3c6e7a821e488f8', '00a45d04b6c9ed07'])
})
