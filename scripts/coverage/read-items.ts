import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Item {
  /** Section and running number: `4.12`. */
  number: string
  text: string
  /** What the item waits for, when the product does not hold it yet. */
  comesWith?: string
  /** Where it is written: `docs/specification/4-states.md:17`. */
  place: string
}

export interface Group {
  title: string
  items: Item[]
}

export interface Section {
  title: string
  groups: Group[]
}

const SECTIONS = 'docs/specification/*.md'
const LINES = {
  section: /^# (.+)$/,
  group: /^## (.+)$/,
  item: /^- (\d+\.\d+) (.+)$/,
  comesWith: /^ {2}- comes with: (.+)$/,
}

/**
 * Reads the numbered items: one file per section of the specification.
 * @returns the sections in order, and one line for whatever is neither heading nor item
 */
export function readItems(root: string): { sections: Section[]; problems: string[] } {
  const problems: string[] = []
  const paths = globSync(SECTIONS, { cwd: root }).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const sections = paths.map((path) => readSection(root, path, problems))
  const seen = new Map<string, string>()
  for (const { number, place } of sections.flatMap(listItems)) {
    const other = seen.get(number)
    if (other) problems.push(`${place}: ${number} stands already in ${other}.`)
    seen.set(number, place)
  }
  return { sections, problems }
}

export function listItems({ groups }: Section): Item[] {
  return groups.flatMap(({ items }) => items)
}

function readSection(root: string, path: string, problems: string[]): Section {
  const section: Section = { title: '', groups: [] }
  for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    const place = `${path}:${index + 1}`
    if (line.trim() && !takeLine(section, line, place)) problems.push(`${place}: "${line.trim()}" is not understood.`)
  }
  return section
}

/** @returns whether the line is of the format, at a place where it may stand */
function takeLine(section: Section, line: string, place: string): boolean {
  const [, heading] = LINES.section.exec(line) ?? []
  if (heading && !section.title) {
    section.title = heading
    return true
  }
  const [, group] = LINES.group.exec(line) ?? []
  if (group) return section.groups.push({ title: group, items: [] }) > 0
  const items = section.groups.at(-1)?.items
  const [, number, text] = LINES.item.exec(line) ?? []
  if (items && number && text && section.title.startsWith(`${number.split('.')[0]}. `))
    return items.push({ number, text, place }) > 0
  const item = items?.at(-1)
  const [, comesWith] = LINES.comesWith.exec(line) ?? []
  if (!item || !comesWith) return false
  item.comesWith = comesWith
  return true
}
