import { cpus, totalmem } from 'node:os'
import type { HammerPlan, HammerResult } from '../run-hammer.ts'
import type { Counted } from '../traffic/recorder.ts'
import { missingTroubles } from '../troubles/trouble.ts'
import { measureRecoveries } from './recover.ts'

/** So much of an anomaly fits into a report. */
const TOLD_LENGTH = 20_000

/** The figures of one run, as Markdown. */
export function writeReport(plan: HammerPlan, result: HammerResult, at: Date): string {
  const { recorder, troubles, histories, wrong } = result
  const minutes = (plan.troubleMs / 60_000).toFixed(1)
  const facts: [string, string | number][] = [
    ['seed', plan.seed],
    ['minutes of trouble', minutes],
    ['clients', plan.clients],
    ['troubles', troubles.length],
    ['calls', recorder.counted.length],
    ['operations in histories', histories.operations],
    ['of them without a known answer', histories.unanswered],
    ['histories judged', histories.objects],
    ['histories that no order explains', histories.anomalies.length],
    ['collections', recorder.collections.size],
    ['certified PDFs judged by the verifier of strangers', result.certified],
    ['signed heads of the log, each grown from the one before', result.heads],
    ['seconds until nothing was owed', (result.settledMs / 1000).toFixed(1)],
    ['wrong', wrong.length],
  ]
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  return [
    `# Hammer of ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    wrong.length === 0
      ? 'Everything is as it must be.'
      : `**${wrong.length} things are wrong**; they stand at the end.`,
    `Machine: ${machine}, shared by all of it.`,
    '',
    writeTable(['what', 'how many'], facts),
    '',
    '## Calls by answer',
    '',
    writeTable(['call', 'answered', 'refused', 'not known', 'answers'], countCalls(recorder.counted)),
    '',
    '## Troubles',
    '',
    'Recovery is from the end of the trouble until what it struck had done something again; a node that was started again says',
    'before that it is ready.',
    '',
    writeTable(
      ['trouble', 'how often', 'recovery, median ms', 'longest ms'],
      measureRecoveries(troubles, recorder.counted)
        .toSorted((a, b) => a.kind.localeCompare(b.kind))
        .map(({ kind, count, median, longest }) => [kind, count, roundOrNone(median), roundOrNone(longest)]),
    ),
    '',
    ...missingTroubles.map((line) => `Not on this machine: ${line}.\n`),
    ...(wrong.length === 0
      ? []
      : ['## Wrong', '', ...wrong.map((text) => `\`\`\`\n${text.slice(0, TOLD_LENGTH)}\n\`\`\`\n`)]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

const roundOrNone = (time: number | undefined): string | number => (time === undefined ? '–' : Math.round(time))

function countCalls(counted: readonly Counted[]): (string | number)[][] {
  const groups = [...Map.groupBy(counted, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b))
  return groups.map(([kind, calls]) => {
    const isUnknown = ({ reply }: Counted) => reply === 'no answer' || reply === '503 database_unavailable'
    const done = calls.filter(({ isDone }) => isDone).length
    const unknown = calls.filter(isUnknown).length
    const answers = [...Map.groupBy(calls, ({ reply }) => reply)]
      .map(([reply, { length }]) => ({ reply, length }))
      .toSorted((a, b) => b.length - a.length)
      .map(({ reply, length }) => `${length} ${reply}`)
    return [kind, done, calls.length - done - unknown, unknown, answers.join(', ')]
  })
}

/** As the formatter writes tables. */
function writeTable(heads: string[], rows: (string | number)[][]): string {
  const cells = [heads, ...rows].map((row) => row.map(String))
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const write = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...others] = cells
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...others.map(write)].join('\n')
}
