// Takes folders of PDFs through the upload check and certification, and compares every page with the original, as a picture
// and by its words: `node scripts/pdf-robustness.ts [--jobs 2] [--report FILE.md] [--json FILE.json] [--only WORD] [--from FILE.json]... [NAME=]FOLDER...`
// `--from` takes in what `--json` wrote before, so that a long run can be made in parts, or a part of it again.
// Needs poppler-utils and qpdf. docs/pdf-robustness.md holds the result for public collections; what people wrote in a report,
// from "About this run" on, stays when it is written anew.
import { openCertifyPool } from '@proofdesk/certify/pool'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, type Examination, examineFile } from './robustness/examine-file.ts'
import { formatReport } from './robustness/format-report.ts'
import { joinResults, readResults } from './robustness/join-results.ts'
import { type Collection, readCollection } from './robustness/list-pdfs.ts'
import { watchMemory } from './robustness/peak-memory.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    report: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', multiple: true, default: [] },
  },
})
const earlierRuns = values.from.map(readResults)
const collections = positionals.map(readCollection)
if (earlierRuns.length === 0 && collections.every(({ files }) => files.length === 0)) {
  console.error('Name at least one folder that holds PDFs, or results of an earlier run.')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'pdf-robustness-'))
try {
  const examinations = joinResults([...earlierRuns, await examineAll(collections, Math.max(1, Number(values.jobs)))])
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(examinations, undefined, 1)}\n`)
  if (values.report === undefined) console.log(formatReport(examinations))
  else {
    const earlier = existsSync(values.report) ? readFileSync(values.report, 'utf8') : ''
    writeFileSync(values.report, formatReport(examinations, earlier))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @returns the examinations in the order of the files, however many run at once. */
async function examineAll(chosen: Collection[], jobs: number): Promise<Examination[]> {
  const files = chosen
    .flatMap(({ name, folder: root, files: paths }) => paths.map((file) => ({ name, root, file })))
    .filter(({ file }) => values.only === undefined || file.includes(values.only))
  const examinations: Examination[] = []
  let next = 0
  let done = 0
  const work = async (bench: Bench): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const { name, root, file } = files[index]!
      examinations[index] = await examineFile(bench, name, root, file)
      done += 1
      if (done % 50 === 0) console.error(`${done} of ${files.length}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, (_, job) => runBench(job, work)))
  return examinations
}

async function runBench(job: number, work: (bench: Bench) => Promise<void>): Promise<void> {
  const own = join(folder, String(job))
  mkdirSync(own)
  // one process each, so that time and memory are those of one file; nothing is sealed, so there are no keys
  const pool = openCertifyPool({ keysDir: own, threads: 1 })
  try {
    await work({ pool, memory: watchMemory(() => pool.processIds()), folder: own })
  } finally {
    await pool.close()
  }
}
