// Puts small faults into the code, one at a time, and looks whether a test notices: `npm run mutate`. Each fault is run with
// the test files that reach it, quickest first, on SQLite, in copies of the project. Takes hours for all of it:
// `npm run mutate -- packages/proof` for a part, `--sample 300` for that many picked evenly.
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { applyMutant, listMutants, type Mutant } from './mutation/list-mutants.ts'
import { findReaching, measureReach, type TestReach } from './mutation/measure-reach.ts'
import { runTestFiles } from './mutation/run-test-files.ts'

const SOURCES = ['packages/contract/src', 'packages/proof/src', 'packages/server/src/features']
/** Quick ones. They are to be enough for `proof`, which is the ground floor. */
const GROUND_TESTS = ['packages/contract/src/**/*.test.ts', 'packages/proof/src/**/*.test.ts']
/** Many and slow: measured only for what they could reach and those before have left. */
const SERVER_TESTS = ['packages/server/src/**/*.test.ts']
const OWN_PACKAGES = ['proof', 'contract', 'certify', 'server']
const LEFT_OUT = /\.test\.ts$|\/testing\/|\/testing\.ts$|\/routes\.ts$/
/** A fault may make a loop endless: so many times as long as without it, and a little. */
const PATIENCE = 4
const PATIENCE_MS = 5000

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, workers: { type: 'string' } },
  allowPositionals: true,
})
const root = dirname(import.meta.dirname)
const texts = new Map<string, string>()
const places = Array.from({ length: Number(values.workers ?? availableParallelism()) }, copyProject)
try {
  await main()
} finally {
  for (const place of places) rmSync(place, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const wanted = positionals.length > 0 ? positionals : SOURCES
  const all = wanted.flatMap(listSources).flatMap((path) => listMutants(path, readText(path)))
  const mutants = pick(all, Number(values.sample ?? all.length))
  console.log(`${mutants.length} of ${all.length} faults`)
  const isOf = (name: string) => (mutant: Mutant) => mutant.path.startsWith(`packages/${name}/`)
  const ofGround = await findSurvivors(
    [...mutants.filter(isOf('proof')), ...mutants.filter(isOf('contract'))],
    GROUND_TESTS,
  )
  const ofServer = await findSurvivors(
    [...ofGround.filter(isOf('contract')), ...mutants.filter(isOf('server'))],
    SERVER_TESTS,
  )
  const noticed = mutants.length - ofGround.filter(isOf('proof')).length - ofServer.length
  console.log(
    `${noticed} of ${mutants.length} faults were noticed: ${((100 * noticed) / mutants.length).toFixed(1)} %.`,
  )
}

async function findSurvivors(mutants: readonly Mutant[], tests: readonly string[]): Promise<Mutant[]> {
  if (mutants.length === 0) return []
  console.log(`Measuring what ${tests.join(' and ')} reach; these of ${mutants.length} faults they do not notice:`)
  const reaches = await measureAll(tests)
  const survivors: Mutant[] = []
  let done = 0
  await shareOut(mutants, async (mutant, place) => {
    const survives = await judge(mutant, findReaching(reaches, mutant), place)
    done += 1
    if (survives) survivors.push(mutant)
    if (survives) console.log(describe(mutant))
    if (done % 100 === 0) console.log(`  ${done} tried, ${done - survivors.length} noticed`)
  })
  return survivors
}

async function measureAll(tests: readonly string[]): Promise<TestReach[]> {
  const files = tests.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
  const reaches: TestReach[] = []
  await shareOut(files, async (file, place) => {
    const reach = await measureReach(place, file)
    if (reach.passed) reaches.push(reach)
    else console.log(`  left out, fails without any fault: ${file}`)
  })
  return reaches
}

/** @returns whether no test noticed it */
async function judge(mutant: Mutant, reaching: readonly TestReach[], place: string): Promise<boolean> {
  const file = join(place, mutant.path)
  const text = readText(mutant.path)
  writeFileSync(file, applyMutant(text, mutant))
  try {
    for (const { file: test, lasted } of reaching)
      if ((await runTestFiles(place, [test], {}, PATIENCE * lasted + PATIENCE_MS)) !== 'passed') return false
    return true
  } finally {
    writeFileSync(file, text)
  }
}

/** Each place takes the next one as soon as it is done. */
async function shareOut<Item>(
  items: readonly Item[],
  work: (item: Item, place: string) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  await Promise.all(
    places.map(async (place) => {
      for (const item of waiting) await work(item, place)
    }),
  )
}

function copyProject(): string {
  const place = mkdtempSync(join(root, '.mutation-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    cpSync(join(root, file), join(place, file))
  }
  // The project's own packages are found beside the copy's code, all others where they are installed. Each package has its
  // own links, and there are none at the top: a process of `certify` may read its package and nothing around it, and fails
  // where it looks for others in a folder it may not read.
  for (const holder of OWN_PACKAGES) {
    const folder = join(place, 'packages', holder, 'node_modules/@proofdesk')
    mkdirSync(folder, { recursive: true })
    for (const name of OWN_PACKAGES) symlinkSync(join(place, 'packages', name), join(folder, name))
  }
  return place
}

function listSources(path: string): string[] {
  const found = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: root }).toSorted()
  return found.filter((file) => !LEFT_OUT.test(`/${file}`))
}

function pick<Item>(all: readonly Item[], count: number): Item[] {
  return all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  )
}

/** As it was at the start, like the copies: people go on working meanwhile. */
function readText(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8')
  texts.set(path, text)
  return text
}

function describe({ path, start, end, by }: Mutant): string {
  const text = readText(path)
  const line = text.slice(0, start).split('\n').length
  const [from, to] = [text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)]
  const [before, after] = [text.slice(from, to), text.slice(from, start) + by + text.slice(end, to)]
  return `${path}:${line}\n  - ${before.trim().replaceAll(/\s+/g, ' ')}\n  + ${after.trim().replaceAll(/\s+/g, ' ')}`
}
