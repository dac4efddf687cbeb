import { dirname } from 'node:path'
import type { Rule } from './source-tree.ts'

const SRC = 'packages/certify/src'

/** No room of certify needs, over others, itself, types included; the linter sees to single files. */
export const checkCertifyRooms: Rule = ({ files }) => {
  const needs = new Map<string, Set<string>>()
  for (const { path, imports, isTest } of files) {
    const room = dirname(path)
    if (isTest || !room.startsWith(`${SRC}/`)) continue
    const others = imports.flatMap(({ target }) => (target?.startsWith(`${SRC}/`) ? [dirname(target)] : []))
    needs.set(room, new Set([...(needs.get(room) ?? []), ...others.filter((other) => other !== room && other !== SRC)]))
  }
  const room = [...needs.keys()].find((start) => {
    const reached = new Set(needs.get(start))
    for (const other of reached) for (const next of needs.get(other) ?? []) reached.add(next)
    return reached.has(start)
  })
  return room ? [{ path: room, text: 'needs itself by way of another room: move what both need into one below.' }] : []
}
