import { runAdmin } from './admin/commands.ts'
import { createAccount } from './features/users/service.ts'

process.exitCode = await runAdmin(
  process.argv.slice(2),
  {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    input: process.stdin,
  },
  { makeAccount: createAccount },
)
