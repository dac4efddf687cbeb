import type { Mesh, MeshEntry } from './read-mesh.ts'

type Point = MeshEntry['points'][number]

/** Thirds of the way around a patch, and the places within it (ISO 32000-2 section 8.7.4.5.7 and 8). */
const AROUND = [0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 2, 1]
const UP = [0, 1, 2, 3, 3, 3, 3, 2, 1, 0, 0, 0]
const WITHIN_AROUND = [1, 1, 2, 2]
const WITHIN_UP = [1, 2, 2, 1]

/**
 * As far as a mesh goes, a colour behind it, which is a part of the mesh itself then.
 * @returns undefined for a lattice, which has no room for it.
 */
export function paintBehindMesh(mesh: Mesh, colour: readonly number[]): Mesh | undefined {
  if (mesh.kind === 5) return undefined
  const [left, foot, right, head] = measureMesh(mesh)
  const place = (across: number, up: number): Point => [
    left + ((right - left) * across) / 3,
    foot + ((head - foot) * up) / 3,
  ]
  const behind: MeshEntry[] = []
  if (mesh.kind === 4)
    for (const [across, up] of [
      [0, 0],
      [3, 0],
      [0, 3],
      [3, 0],
      [0, 3],
      [3, 3],
    ] as const)
      behind.push({ flag: 0, points: [place(across, up)], colours: [[...colour]] })
  else {
    const points = AROUND.map((across, i) => place(across, UP[i]!))
    if (mesh.kind === 7) points.push(...WITHIN_AROUND.map((across, i) => place(across, WITHIN_UP[i]!)))
    behind.push({ flag: 0, points, colours: Array.from({ length: 4 }, () => [...colour]) })
  }
  return { ...mesh, entries: [...behind, ...mesh.entries] }
}

/** The rectangle that all its places lie within. */
export function measureMesh({ entries }: Mesh): [left: number, foot: number, right: number, head: number] {
  let [left, foot, right, head] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { points } of entries)
    for (const [x, y] of points) {
      if (x < left) left = x
      if (x > right) right = x
      if (y < foot) foot = y
      if (y > head) head = y
    }
  return [left, foot, right, head]
}
