import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Effort } from '../options.ts'
import { drawBars, formatValue, keepsMust } from './draw-bars.ts'
import type { Figure, RawFigure, SuiteReport } from './figure.ts'
import { describeMachine, readCommit } from './machine.ts'

const OXFMT = join(dirname(dirname(import.meta.dirname)), 'node_modules/oxfmt/bin/oxfmt')

export interface Run {
  effort: Effort
  isQuick: boolean
  suites: readonly SuiteReport[]
  /** Load of the machine before the first suite and after the last. */
  loads: readonly [number, number]
}

/** Writes the report and its pictures. @returns the report's path. */
export function writeReport(folder: string, run: Run): string {
  const name = `${new Date().toISOString().slice(0, 10)}-${readCommit()}`
  mkdirSync(join(folder, name), { recursive: true })
  for (const { suite, figures } of run.suites)
    if (figures.length > 0) writeFileSync(join(folder, name, `${suite}.svg`), drawBars(suite, figures))
  const path = join(folder, `${name}.md`)
  writeFileSync(path, writeText(name, run))
  execFileSync(process.execPath, [OXFMT, path], { cwd: folder, stdio: 'ignore' })
  return path
}

function writeText(name: string, { effort, isQuick, suites, loads }: Run): string {
  const { small, large, rounds, lasts } = effort
  const [before, after] = loads
  const lines = [
    `# Performance, ${name}`,
    ...(isQuick ? ['**A quick run: it shows that everything runs. Its figures mean nothing.**'] : []),
    [
      ...describeMachine(),
      `load of the machine ${before.toFixed(2)} before and ${after.toFixed(2)} after, the last suite's own included`,
      `${small} and ${large} collections on SQLite; medians of ${rounds} rounds of ${lasts / 1000} s, rivals in turn`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    'Each figure is a ratio to a rival measured in the same run, or a difference; `docs/performance.md` says what they mean.',
  ]
  for (const { suite, figures, leftOut } of suites) {
    lines.push(`## ${suite}`)
    if (figures.length > 0)
      lines.push(
        `![${suite}](${name}/${suite}.svg)`,
        writeTable(['figure', 'measured', 'must', 'aim', 'kept', 'against'], figures.map(toCells)),
      )
    const raw = figures.flatMap((figure) => figure.raw)
    for (const group of groupAlike(raw)) lines.push(writeRawTable(group))
    for (const why of leftOut) lines.push(`Left out: ${why}.`)
  }
  return `${lines.join('\n\n')}\n`
}

function toCells(figure: Figure): string[] {
  const { name, value, unit, must, aim, against } = figure
  const keeps = keepsMust(figure)
  const target = (at: number | undefined) => (at === undefined ? '' : formatValue(at, unit))
  return [name, formatValue(value, unit), target(must), target(aim), sayKept(keeps), against]
}

function sayKept(keeps: boolean | undefined): string {
  if (keeps === undefined) return ''
  return keeps ? 'yes' : '**no**'
}

/** Those with the same columns, in one table. */
function groupAlike(raw: readonly RawFigure[]): RawFigure[][] {
  const groups = Map.groupBy(raw, ({ values }) => Object.keys(values).join())
  return [...groups.values()]
}

function writeRawTable(raw: readonly RawFigure[]): string {
  const columns = Object.keys(raw[0]?.values ?? {})
  return writeTable(
    ['', ...columns],
    raw.map(({ name, values }) => [name, ...columns.map((column) => formatRaw(values[column] ?? Number.NaN))]),
  )
}

function formatRaw(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

function writeTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
