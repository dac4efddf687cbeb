import { runAdmin } from './commands.ts'

// As the server's own files.
process.umask(0o077)

process.exitCode = await runAdmin(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  input: process.stdin,
  environment: process.env,
})
