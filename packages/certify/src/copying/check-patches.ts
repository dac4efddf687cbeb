import type { Mesh, MeshEntry } from './read-mesh.ts'

type Point = MeshEntry['points'][number]

/** Of a patch: so much of the root of its area, or of its extent, may its inner places lie elsewhere. */
const OFF_AREA = 0.2
const OFF_EXTENT = 0.02
/** Of its extent: its corners may not lie nearer to each other. */
const LEAST_CORNERS = 0.2
/** For each inner place the corner that it is near, and the others, as places around the patch (ISO 32000-2 section 8.7.4.5.8). */
const INNER = [
  { corner: 0, across: 6, beside: [1, 11], others: [3, 9], far: [8, 4] },
  { corner: 3, across: 9, beside: [2, 4], others: [0, 6], far: [7, 11] },
  { corner: 6, across: 0, beside: [5, 7], others: [9, 3], far: [10, 2] },
  { corner: 9, across: 3, beside: [8, 10], others: [0, 6], far: [1, 5] },
] as const

/**
 * Whether patches are drawn alike. Some readers go by what is around a patch alone, whatever its inner places are; where its corners are
 * nearly one, they divide it otherwise.
 */
export function arePlainPatches({ kind, entries }: Mesh): boolean {
  if (kind < 6) return true
  let around: readonly Point[] = []
  return entries.every(({ flag, points }) => {
    const shared = flag === 0 ? [] : [0, 1, 2, 3].map((i) => around[(3 * flag + i) % 12]!)
    around = [...shared, ...points].slice(0, 12)
    const extent = measureExtent(around)
    const hasCorners = measureExtent([0, 3, 6, 9].map((i) => around[i]!)) >= LEAST_CORNERS * extent
    const allowed = Math.max(OFF_AREA * Math.sqrt(measureArea(around)), OFF_EXTENT * extent)
    return hasCorners && (kind === 6 || points.slice(-4).every((point, i) => findOff(around, point, i) <= allowed))
  })
}

/** How far an inner place is from where what is around a patch puts it. */
function findOff(around: readonly Point[], point: Point, i: number): number {
  const { corner, across, beside, others, far } = INNER[i]!
  const sum = (places: readonly number[], axis: 0 | 1): number =>
    places.reduce((total, place) => total + around[place]![axis], 0)
  const due = (axis: 0 | 1): number =>
    (-4 * around[corner]![axis] -
      around[across]![axis] +
      6 * sum(beside, axis) -
      2 * sum(others, axis) +
      3 * sum(far, axis)) /
    9
  return Math.hypot(point[0] - due(0), point[1] - due(1))
}

function measureExtent(points: readonly Point[]): number {
  const [across, up] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return Math.hypot(Math.max(...across) - Math.min(...across), Math.max(...up) - Math.min(...up))
}

function measureArea(points: readonly Point[]): number {
  const doubled = points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length]!
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(doubled) / 2
}
