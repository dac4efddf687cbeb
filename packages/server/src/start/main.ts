import cluster from 'node:cluster'
import { readConfig } from '../config/config.ts'
import { explainFailure } from '../config/start-failure.ts'
import { letHeapGrow } from './let-heap-grow.ts'

// Whoever read the output may be gone, as at the end of a pipe; that is no reason to drop requests.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// What is made from here on, in the processes of the pool too, is its owner's alone.
process.umask(0o077)

letHeapGrow()

try {
  const config = readConfig()
  // Only now the rest: a wrong setting is told before anything heavy is loaded, and a missing library in one line too.
  if (config.webConcurrency > 1 && cluster.isPrimary) {
    const { leadProcesses } = await import('./processes/lead.ts')
    await leadProcesses(config)
  } else {
    const { serve } = await import('./serve.ts')
    await serve(config)
  }
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  // Workers may be running already; there is nothing of theirs to wait for.
  process.exit(1)
}
