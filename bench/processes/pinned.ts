import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A server that is compared, one that may have every core that is left, what measures them, or a server whose work is so
 * heavy beside what measures it that it has that one's core, too.
 */
export type Part = 'server' | 'wide-server' | 'load' | 'everywhere'

export type PinnedChild = ChildProcessWithoutNullStreams

const children = new Set<PinnedChild>()
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))

/** Which cores each part has, as `taskset` takes them; undefined where there are not two, or it is missing. */
export function findCores(): Record<Part, string> | undefined {
  const allowed = listAllowedCores()
  const [server, last] = [allowed[0], allowed.at(-1)]
  if (server === undefined || last === undefined || server === last) return undefined
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined
  return {
    server: `${server}`,
    'wide-server': allowed.slice(0, -1).join(','),
    load: `${last}`,
    everywhere: allowed.join(','),
  }
}

let cores: { found: Record<Part, string> | undefined } | undefined

/** Starts a program that ends with this one. */
export function spawnPinned(
  part: Part,
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): PinnedChild {
  cores ??= { found: findCores() }
  const [program, ...rest] = cores.found ? ['taskset', '-c', cores.found[part], command, ...args] : [command, ...args]
  const child = spawn(program ?? command, rest, {
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    stdio: 'pipe',
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

function listAllowedCores(): number[] {
  try {
    const text = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return text.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
  } catch {
    return []
  }
}
