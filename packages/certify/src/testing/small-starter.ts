// Starts programs for a test whose process is large, and tells how they ended; see start-small.ts.
import { execFile } from 'node:child_process'
import type { Answered, Asked } from './start-small.ts'

process.on('message', ({ id, file, args, timeoutMs, maxBytes, env, cwd }: Asked) => {
  const options = { encoding: 'buffer', maxBuffer: maxBytes, timeout: timeoutMs, env, cwd } as const
  execFile(file, [...args], options, (error, output, errors) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
    process.send?.({ id, code, output, errors } satisfies Answered)
  })
})
process.on('disconnect', () => process.exit())
