import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule, SourceTree } from './source-tree.ts'

/** Packages whose rooms are drawn and watched. */
const HOUSES = ['certify', 'server', 'web']
export const PICTURE = 'docs/architecture.md'
const BEGIN = '<!-- rooms: written by scripts/draw-rooms.ts -->'
const END = '<!-- end of rooms -->'

/** Whom each room imports from, types included: a folder of `src`, or a file that stands beside the folders. */
type Needs = Map<string, Set<string>>

function listNeeds({ files }: SourceTree, house: string): Needs {
  const src = `packages/${house}/src/`
  const toRoom = (path: string) => path.slice(src.length).split('/')[0] ?? ''
  const needs: Needs = new Map()
  for (const { path, imports, isTest } of files) {
    if (isTest || !path.startsWith(src)) continue
    const room = toRoom(path)
    const others = imports.flatMap(({ target }) =>
      target?.startsWith(src) && !target.endsWith('.css') ? [toRoom(target)] : [],
    )
    needs.set(room, new Set([...(needs.get(room) ?? []), ...others.filter((other) => other !== room)]))
  }
  return needs
}

/** All that a room needs, over others. */
function reach(needs: Needs, room: string): Set<string> {
  const reached = new Set(needs.get(room))
  for (const other of reached) for (const next of needs.get(other) ?? []) reached.add(next)
  return reached
}

/** No room needs, over others, itself; the linter sees to single files. */
export const checkRoomCircles: Rule = (tree) =>
  HOUSES.flatMap((house) => {
    const needs = listNeeds(tree, house)
    const room = [...needs.keys()].find((start) => reach(needs, start).has(start))
    return room
      ? [
          {
            path: `packages/${house}/src/${room}`,
            text: 'needs itself by way of another room: move what both need into one below.',
          },
        ]
      : []
  })

/** The picture of the rooms is that of the house as it is. */
export const checkPicture: Rule = (tree) => {
  const path = join(tree.root, PICTURE)
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  return text === drawRooms(tree, text)
    ? []
    : [
        {
          path: PICTURE,
          text: 'its picture of the rooms is not as they are: node scripts/draw-rooms.ts draws it anew.',
        },
      ]
}

/** @returns the text of the picture's file with the pictures drawn anew. */
export function drawRooms(tree: SourceTree, text: string): string {
  const pictures = HOUSES.map((house) => drawHouse(house, listNeeds(tree, house)))
  const [before = '', rest = ''] = text.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  return `${before}${BEGIN}\n\n${pictures.join('\n\n')}\n\n${END}${after}`
}

/** Every arrow points down. One that follows from two others is left out. */
function drawHouse(house: string, needs: Needs): string {
  const arrows = [...needs.keys()].toSorted().flatMap((room) => {
    const others = needs.get(room) ?? new Set()
    const implied = new Set([...others].flatMap((other) => [...reach(needs, other)]))
    return [...others].toSorted().flatMap((other) => (implied.has(other) ? [] : [`  ${room} --> ${other}`]))
  })
  return ['```mermaid', 'flowchart TD', `  %% ${house}`, ...arrows, '```'].join('\n')
}
