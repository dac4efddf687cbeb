import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needJudge } from '../testing.ts'
import { runPrintTrial, USUAL_CODES } from '../testing/print-trial.ts'

// `npm run prints` does it a thousand times; what came of that stands in docs/decisions/0031-certificates-on-paper.md.
test('16.14 worn prints of 100 to 300 dpi are read by two decoders of others', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'zbarimg')) return
  const rows = await runPrintTrial({ prints: 40, seed: 16, codes: USUAL_CODES })
  for (const { dpi, prints, read } of rows) {
    // one of eight may be beyond reading at the coarsest
    for (const [decoder, count] of Object.entries(read))
      assert.ok(count >= prints - (dpi === 100 ? 1 : 0), `${decoder} read ${count} of ${prints} at ${dpi} dpi`)
  }
})
