// `npm run hammer`: traffic on three nodes while they, PostgreSQL, the store for files, disks and clocks fail, and then a look
// at every answer. `--help` says the rest.
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { skipWithoutPrograms, startInstallation } from './instance/installation.ts'
import { writeReport } from './report/write-report.ts'
import { runHammer, type HammerPlan } from './run-hammer.ts'

const USAGE = `Usage: npm run hammer -- [--minutes N] [--seed S] [--clients N] [--report FILE]

Starts PostgreSQL, a store for files and three nodes, has clients work on them while they fail, and looks whether every
answer was right and everything that was acknowledged is there.
  --minutes  how long there is trouble; 5 when absent
  --seed     decides what is asked and what fails, as far as the machine allows; another each time when absent
  --clients  how many at once; 8 when absent
  --report   writes the figures as Markdown

Ends with 0 when nothing is wrong, 1 when something is, 2 when it cannot run. Ctrl-C ends the trouble early and has what
happened judged; a second one ends at once.`

const EXIT_WRONG = 1
const EXIT_UNABLE = 2
const MINUTE_MS = 60_000

process.exitCode = await run()
// What it started ends with it; connections that are still open keep nothing alive.
process.exit()

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string' },
      clients: { type: 'string', default: '8' },
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [minutes, seed, clients] = [values.minutes, values.seed ?? randomInt(2 ** 31), values.clients].map(Number)
  const isRight = minutes! > 0 && Number.isSafeInteger(seed) && Number.isSafeInteger(clients) && clients! > 0
  if (values.help || !isRight) {
    console.log(USAGE)
    return values.help ? 0 : EXIT_UNABLE
  }
  if (skipWithoutPrograms !== false) {
    console.error(`There is no hammer on this machine: ${skipWithoutPrograms}.`)
    return EXIT_UNABLE
  }
  return hammer({
    seed: seed!,
    troubleMs: minutes! * MINUTE_MS,
    calmMs: Math.min(10_000, minutes! * 6000),
    clients: clients!,
    pace: { everyMs: 3000, atOnce: 2 },
  })

  async function hammer(asked: HammerPlan): Promise<number> {
    const begin = performance.now()
    const say = (line: string) =>
      console.log(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${line}`)
    let cuts = 0
    const { promise: ended, resolve: endAtOnce } = Promise.withResolvers<undefined>()
    const cut = () => {
      cuts += 1
      if (cuts === 1) say('cut short: what happened so far is judged; once more ends at once')
      else endAtOnce(undefined)
    }
    process.on('SIGINT', cut).on('SIGTERM', cut)
    say(`seed ${asked.seed}: PostgreSQL, S3 and three nodes are started`)
    const starting = startInstallation()
    const installation = await starting
    try {
      const plan: HammerPlan = { ...asked, say, isCutShort: () => cuts > 0 }
      const result = await Promise.race([runHammer(installation, plan), ended])
      if (!result) return EXIT_WRONG
      const report = writeReport(plan, result, new Date())
      if (values.report === undefined) console.log(`\n${report}`)
      else await writeFile(values.report, report)
      say(result.wrong.length === 0 ? 'nothing is wrong' : `${result.wrong.length} things are wrong`)
      return result.wrong.length === 0 ? 0 : EXIT_WRONG
    } finally {
      await installation.end()
      say('everything has ended')
    }
  }
}
