// Before a release: runs every test on other days and in other places, since no test may depend on when and where it runs.
// `npm run test-any-day`, or only some stages or days: `npm run test-any-day -- --day 'in 400 days' certify server`. Needs
// Debian's package `libfaketime`.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

interface Day {
  name: string
  /** When it seems to start, in milliseconds since 1970-01-01 UTC; the present when absent. */
  start?: number
  zone?: string
}

const DAY_MS = 86_400_000

const DAYS: Day[] = [
  { name: 'two days ago', start: Date.now() - 2 * DAY_MS },
  { name: 'in 40 days', start: Date.now() + 40 * DAY_MS },
  { name: 'in 400 days', start: Date.now() + 400 * DAY_MS },
  { name: 'on 29 February', start: Date.UTC(2028, 1, 29, 11, 58) },
  { name: 'while summer time begins', start: Date.UTC(2027, 2, 28, 0, 58), zone: 'Europe/Berlin' },
  { name: 'while summer time ends', start: Date.UTC(2027, 9, 31, 0, 58), zone: 'Europe/Berlin' },
  { name: 'in Tehran', zone: 'Asia/Tehran' },
  { name: 'in Newfoundland', zone: 'America/St_Johns' },
]

const { values, positionals: stages } = parseArgs({
  options: { day: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const unknown = values.day?.find((name) => !DAYS.some((day) => day.name === name))
if (unknown !== undefined)
  throw new Error(`'${unknown}' is none of the days: ${DAYS.map(({ name }) => name).join(', ')}.`)
const days = DAYS.filter(({ name }) => values.day?.includes(name) ?? true)

const [preload] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
if (preload === undefined) {
  console.error('libfaketime is not on this machine (Debian package libfaketime).')
  process.exitCode = 1
} else {
  const failed = days.filter((day) => !runOn(day, preload))
  console.log(
    failed.length
      ? `\nFailed ${failed.map(({ name }) => name).join(', ')}.`
      : `\nPassed ${days.map(({ name }) => name).join(', ')}.`,
  )
  process.exitCode = failed.length ? 1 : 0
}

function runOn({ name, start, zone }: Day, library: string): boolean {
  console.log(`\n════ ${name} ════`)
  const env = { ...process.env }
  if (zone !== undefined) env['TZ'] = zone
  if (start !== undefined) {
    // A distance: a fixed time would begin anew in each process.
    env['FAKETIME'] = `${start > Date.now() ? '+' : '-'}${Math.abs(Math.round((start - Date.now()) / 1000))}s`
    env['LD_PRELOAD'] = library
    // How long something takes stays true.
    env['FAKETIME_DONT_FAKE_MONOTONIC'] = '1'
    // With it Chromium draws no frame.
    env['FAKETIME_FORCE_MONOTONIC_FIX'] = '0'
  }
  const args = [join(import.meta.dirname, 'run-tests.ts'), ...stages]
  const { status } = spawnSync(process.execPath, args, { cwd: dirname(import.meta.dirname), env, stdio: 'inherit' })
  return status === 0
}
