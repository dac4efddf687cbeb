import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Failure } from './stage-report.ts'

/** A node:test reporter that writes one JSON object, the counts of the whole run and what failed in it, and nothing else. */
export default async function* reportStage(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: Failure[] = []
  for await (const event of events) {
    if (event.type === 'test:fail') {
      const { name, file = '', details } = event.data
      const { failureType, cause } = details.error as Error & { failureType?: string }
      // What holds a failed test is not told beside it.
      if (failureType !== 'subtestsFailed') failures.push({ file, name, message: inspect(cause ?? details.error) })
    }
    // One summary is for each file; the one without a file is for all of them.
    if (event.type === 'test:summary' && event.data.file === undefined)
      yield JSON.stringify({ counts: event.data.counts, failures })
  }
}
