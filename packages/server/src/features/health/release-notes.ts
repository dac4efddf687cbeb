import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthReport } from '@proofdesk/contract/health'

/** Beside the packages, as it is shipped. */
const CHANGELOG = join(import.meta.dirname, '../../../../../CHANGELOG.md')
const UNRELEASED = 'Unreleased'

type Notes = HealthReport['release']['notes']

/** What the changelog beside this program says of taking its version; empty where there is no changelog. */
export async function readReleaseNotes(version: string, before: string | null): Promise<Notes> {
  const text = await readFile(CHANGELOG, 'utf8').catch(() => '')
  return findReleaseNotes(text, version, before)
}

/**
 * The items under "Upgrading" of each version after one and up to another.
 * @param text Newest version first, in the form of Keep a Changelog.
 * @param before Null: only those of the version itself. So too where it is not named.
 */
export function findReleaseNotes(text: string, version: string, before: string | null): Notes {
  const sections = text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ version: /^\[?([^\]\s]+)/.exec(section)?.[1] ?? '', text: section }))
  const named = sections.findIndex((section) => section.version === version)
  // Between two releases the program is newer than the newest of them.
  const first = named >= 0 ? named : sections.findIndex((section) => section.version === UNRELEASED)
  if (first < 0) return []
  const last = before === null ? -1 : sections.findIndex((section) => section.version === before)
  return sections
    .slice(first, last > first ? last : first + 1)
    .map((section) => ({
      version: section.version === UNRELEASED ? version : section.version,
      items: listUpgrading(section.text),
    }))
    .filter(({ items }) => items.length > 0)
}

function listUpgrading(section: string): string[] {
  const part = section.split(/^### /m).find((text) => /^Upgrading\s/.test(text)) ?? ''
  return part.split(/^- /m).slice(1).map(readPlain)
}

/** Words without the signs of Markdown. A page is named, since no link leads to it. */
function readPlain(item: string): string {
  return item
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 ($2)')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
