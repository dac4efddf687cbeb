import type { TestEvent } from 'node:test/reporters'

/** A node:test reporter that writes one JSON object, the counts of the whole run, and nothing else. */
export default async function* reportCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // One summary is for each file; the one without a file is for all of them.
    if (event.type === 'test:summary' && event.data.file === undefined) yield JSON.stringify(event.data.counts)
  }
}
