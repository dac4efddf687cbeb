// `npm run prints [-- --prints 1000] [--seed 16] [--address URL] [--bytes 256]`: prints certificates, wears the prints and has
// two programs of others read their codes; 20 minutes for 1,000. Needs poppler-utils and zbar-tools.
// docs/decisions/0031-certificates-on-paper.md holds the result.
import { parseArgs } from 'node:util'
import { runPrintTrial, USUAL_CODES } from '@proofdesk/certify/testing/print-trial'

const { values } = parseArgs({
  options: {
    prints: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '16' },
    address: { type: 'string' },
    bytes: { type: 'string' },
  },
})
const { address = USUAL_CODES[0]!.address, bytes } = values
const codes =
  bytes === undefined && values.address === undefined ? USUAL_CODES : [{ bytes: Number(bytes ?? 256), address }]

let done = 0
const rows = await runPrintTrial({ prints: Number(values.prints), seed: Number(values.seed), codes }, () => {
  done += 1
  if (done % 50 === 0) console.error(`${done} prints`)
})
const names = Object.keys(rows[0]?.read ?? {})
console.log(`| dpi | prints | ${names.join(' | ')} |\n| --- | --- | ${names.map(() => '---').join(' | ')} |`)
for (const { dpi, prints, read } of rows)
  console.log(`| ${dpi} | ${prints} | ${names.map((name) => read[name]).join(' | ')} |`)
const total = rows.reduce((sum, { prints }) => sum + prints, 0)
const shares = names.map((name) => rows.reduce((sum, { read }) => sum + read[name]!, 0) / total)
console.log(`| all | ${total} | ${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(' | ')} |`)
process.exitCode = shares.every((share) => share >= 0.99) ? 0 : 1
