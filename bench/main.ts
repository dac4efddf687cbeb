// `npm run bench`: measures the product against named rivals and writes a report; `-- --help` tells the rest.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fillInstance } from './fill/fill.ts'
import { makeRealOnes } from './fill/real-ones.ts'
import { CERTIFIED, openInstances } from './instances.ts'
import { HELP, readCommand, type Command, type SuiteName } from './options.ts'
import type { SuiteReport } from './report/figure.ts'
import { readLoad } from './report/machine.ts'
import { writeReport } from './report/write-report.ts'
import type { Suite } from './suite.ts'
import { measureApprovals } from './suites/approvals.ts'
import { measureCeiling } from './suites/ceiling.ts'
import { measureCreates } from './suites/creates.ts'
import { measureFlat } from './suites/flat.ts'
import { measureLighthouse } from './suites/lighthouse.ts'
import { measureNodes } from './suites/nodes.ts'
import { measureOnPostgres } from './suites/on-postgres.ts'
import { measureOthersWait } from './suites/others-wait.ts'
import { measureOwnList } from './suites/own-list.ts'
import { measureProofs } from './suites/proofs.ts'
import { measureSearch } from './suites/search.ts'
import { measureSignIn } from './suites/sign-in.ts'
import { measureStaffList } from './suites/staff-list.ts'
import { measureStart } from './suites/start.ts'
import { measureUploads } from './suites/uploads.ts'
import { measureVerify } from './suites/verify.ts'
import { measureWeb } from './suites/web.ts'

const SUITE_OF: Record<SuiteName, Suite> = {
  flat: measureFlat,
  search: measureSearch,
  'others-wait': measureOthersWait,
  'staff-list': measureStaffList,
  'own-list': measureOwnList,
  'on-postgres': measureOnPostgres,
  verify: measureVerify,
  'sign-in': measureSignIn,
  creates: measureCreates,
  uploads: measureUploads,
  proofs: measureProofs,
  start: measureStart,
  nodes: measureNodes,
  approvals: measureApprovals,
  web: measureWeb,
  lighthouse: measureLighthouse,
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

// Servers that were started and folders that were made go with this process, also when it is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  process.exit((await run(readCommand(process.argv.slice(2)))) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** @returns whether all went well. */
async function run(command: Command): Promise<boolean> {
  if (command.does === 'measure') return measure(command)
  if (command.does === 'help') {
    say(HELP)
    return true
  }
  const { collections, folder, postgresUrl } = command
  const begin = performance.now()
  await makeRealOnes({ folder: resolve(folder), postgresUrl, certified: CERTIFIED })
  await fillInstance({ collections, folder: resolve(folder), postgresUrl })
  say(`${collections} collections in ${folder}, ${((performance.now() - begin) / 1000).toFixed(1)} s`)
  return true
}

/** One suite that fails is told in the report and takes nothing from the others. */
async function measure(command: Command & { does: 'measure' }): Promise<boolean> {
  const { suites: chosen, effort, isQuick, reportFolder, largeOnPostgres } = command
  const instances = openInstances(
    isQuick ? { isKept: false, certified: { ...CERTIFIED, count: 1 } } : { isKept: true, certified: CERTIFIED },
    say,
  )
  const suites: SuiteReport[] = []
  const before = readLoad()
  let hasFailed = false
  try {
    for (const [suite, measureIt] of [
      ['ceiling', measureCeiling] as const,
      ...chosen.map((name) => [name, SUITE_OF[name]] as const),
    ]) {
      const begin = performance.now()
      const report = await measureIt({ effort, instances, largeOnPostgres }).catch((error: unknown) => {
        hasFailed = true
        const why = `failed: ${error instanceof Error ? error.message : String(error)}`
        process.stderr.write(`${suite} ${why}\n`)
        return { figures: [], leftOut: [why] }
      })
      suites.push({ suite, ...report })
      say(`${suite}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    }
  } finally {
    instances.close()
  }
  // What a quick run says is worth nothing later.
  const fallback = isQuick ? mkdtempSync(join(tmpdir(), 'proofdesk-bench-')) : join(import.meta.dirname, 'results')
  say(writeReport(resolve(reportFolder ?? fallback), { effort, isQuick, suites, loads: [before, readLoad()] }))
  return !hasFailed
}
