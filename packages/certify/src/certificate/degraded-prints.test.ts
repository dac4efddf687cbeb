import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DECODERS } from '../testing/code-decoders.ts'
import { needJudge } from '../testing.ts'
import { runPrintTrial, USUAL_CODES } from '../testing/print-trial.ts'

// `npm run prints` does it a thousand times; what came of that stands in docs/decisions/0031-certificates-on-paper.md.
test('16.14 worn prints of 100 to 300 dpi are read by two decoders of others', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'zbarimg')) return
  const rows = await runPrintTrial({ prints: 40, seed: 16, codes: USUAL_CODES })
  for (const { name } of DECODERS) {
    const count = rows.reduce((sum, { read }) => sum + (read[name] ?? 0), 0)
    // one or two of these may be beyond reading
    assert.ok(count >= 38, `${name} read ${count} of 40`)
  }
})
