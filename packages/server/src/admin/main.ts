import { runAdmin } from './admin/commands.ts'
import { closeOtherDoors } from './features/account/close-other-doors.ts'
import { takeRightFromShell } from './features/users/directory/service.ts'
import { createAccount } from './features/users/service.ts'

// As the server's own files.
process.umask(0o077)

process.exitCode = await runAdmin(
  process.argv.slice(2),
  {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    input: process.stdin,
  },
  {
    makeAccount: createAccount,
    takeRight: (deps, username, right) => takeRightFromShell(deps, { shutOut: closeOtherDoors }, username, right),
  },
)
