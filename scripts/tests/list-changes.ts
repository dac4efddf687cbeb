import { spawnSync } from 'node:child_process'

/**
 * Paths that differ from where `main` stands: all of a branch, its commits and what is not committed yet. On `main` itself
 * what is not committed; where that is nothing, the last commit.
 */
export function listChanges(root: string): string[] {
  const head = askGit(root, 'rev-parse', 'HEAD')
  const base = findBase(root, head)
  const changes = listSince(root, base)
  if (changes.length > 0 || base !== head) return changes
  const hasParent = spawnGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD~1']).status === 0
  return hasParent ? listSince(root, 'HEAD~1') : splitLines(askGit(root, 'ls-files'))
}

/** Where this branch left `main`, a local one or that of `origin`. */
function findBase(root: string, head: string): string {
  for (const main of ['main', 'origin/main']) {
    const { status, stdout } = spawnGit(root, ['merge-base', 'HEAD', main])
    if (status === 0) return stdout.trim()
  }
  return head
}

function listSince(root: string, commit: string): string[] {
  const tracked = askGit(root, 'diff', '--name-only', '--no-renames', commit)
  const untracked = askGit(root, 'ls-files', '--others', '--exclude-standard')
  return [...splitLines(tracked), ...splitLines(untracked)].toSorted()
}

/** @throws Error with Git's own words */
function askGit(root: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnGit(root, args)
  if (status !== 0) throw new Error(`git ${args[0]} failed, and --changed needs it: ${error?.message ?? stderr.trim()}`)
  return stdout.trim()
}

function spawnGit(root: string, args: string[]) {
  // Names as they are, without quotes around those with other than Latin letters.
  return spawnSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: root, encoding: 'utf8' })
}

const splitLines = (text: string) => text.split('\n').filter(Boolean)
