import { EXIT_TRY_LATER, explainFailure, InUse } from '../config/start-failure.ts'
import { backUp } from './backup.ts'
import { checkAudit } from './check-audit.ts'
import { checkCountsFromShell } from './check-counts.ts'
import { checkFromShell } from './check-everything.ts'
import { checkProofs } from './check-proofs.ts'
import { createUser } from './create-user.ts'
import { drillRestore } from './drill.ts'
import { eraseProofFromShell, eraseUserFromShell } from './erase.ts'
import { checkMailDns } from './mail-dns.ts'
import { mendFiles } from './mend.ts'
import { moveInstallation } from './move-installation.ts'
import { prune } from './prune.ts'
import { restore } from './restore.ts'
import { takeAway } from './take-away.ts'
import { takeReport } from './take-report.ts'
import { UsageError, type Terminal } from './terminal.ts'

const EXIT_DONE = 0
const EXIT_FAILED = 1
const EXIT_USAGE = 2

const HELP = `Usage: npm run admin -- <command>

Commands:
  create-user --username U --email E --password - --role user|staff|admin|superuser
              [--first-name F] [--last-name L] [--phone-number N] [--verified]
      Makes an account, also while the server runs.
      --password -          reads the password from standard input, where nobody else sees it
      --password P          also takes it as it is, but others on the machine can read it, and npm logs it
      --password-file FILE  reads it from a file
      --verified            the e-mail address is known to be theirs; without it a verification mail is sent

  take-away --username U --right active|superuser|admin|staff
      Takes a right away, whatever the state of the e-mail address; without 'active' nobody can sign in, and all
      sessions end. The last active superuser stays one.

  erase-proof PROOF_ID
      Erases for good all that is kept about one proof, also while the server runs: its certified PDF, its collection with
      files, comments and decisions, and what its leaf in the log commits to. The leaf stays, and says nothing any more.

  erase-user USERNAME
      Erases a person for good: their collections and proofs as above, tickets, comments, and the account, of which an empty
      row stays for what others' rows refer to. The last active superuser stays one. Both are erased again after a restore.

  check-counts [--mend]
      Compares the counts that lists are shown with to what is there, also while the server runs, and says what
      differs; --mend sets it right.

  check-proofs
      Judges every certified PDF that is stored by the verifier that strangers have, also while the server runs, and
      names each that is missing or not what was approved.

  check-audit
      Computes the chain of the audit trail anew, also while the server runs, and says where it was changed.

  mail-dns [--server ADDRESS]
      Looks the SPF, DKIM and DMARC records of the sender's domain up, also while the server runs, says whether they
      fit, and what to publish where they do not.
      --server ADDRESS  asks this name server, such as the domain's own, which knows a change first

  take-report
      Reads one mail from standard input, also while the server runs. Where it is a report that a mail of Proofdesk could
      not be delivered, those are told whom it concerns; any other mail changes nothing. For the mailbox of MAIL_FROM.

  check
      Checks all there is to check, also while the server runs: counts, stored files, the transparency log, the audit
      trail and every certified PDF.

  backup FOLDER|s3://… [--keep N] [--again]
      Adds a backup to a folder or a bucket, also while the server runs; files that are in it are not copied again. With
      BACKUP_PASSPHRASE the first one makes all of them encrypted, and the keys are in them too. Credentials of a bucket are
      in the variables that STORAGE_URL needs.
      --keep N  removes all but the newest N backups, and the newest whose restore the server has drilled and found well
      --again   refuses a place in which no backup stands, such as where a disk is not mounted
      A stored file that is missing, altered or not to be read is named, and all else is saved: then it ends with 3.

  restore FOLDER|s3://… [--snapshot NAME] [--without-keys]
      Restores the newest backup, or the one that is named, into a DATA_DIR without a database or an empty PostgreSQL, and
      where the settings have files, whatever it was saved from. All sessions end.

  drill FOLDER|s3://… [--snapshot NAME]
      Restores the newest backup, or the one that is named, into a scratch folder, runs check on it, and removes it.

  prune FOLDER|s3://… --keep N [--spare NAME]
      Removes all but the newest N backups. --spare NAME  keeps this one, too, however old it is

  mend FOLDER|s3://… [--known]
      Reads all stored files, also while the server runs, and puts back from any backup there what is missing or not as it
      was stored. What could not be prepared for that is prepared then.
      --known  looks only at those that the health page names, as the server does by itself with BACKUP_DIR

  migrate [--to postgres://…] [--storage s3://…|FOLDER] [--with-problems]
      Copies an installation on SQLite to an empty PostgreSQL, its files to a bucket, or with --to another folder, or both,
      checks and compares everything, and closes the one here. The server is stopped before. What was broken off is run again: files
      that are there are compared and left, rows are copied anew. Credentials of a bucket are those of STORAGE_URL.
      --to -           reads the address from standard input, where nobody else sees a password in it
      --with-problems  moves the rest where something is missing or not as it was stored; without it nothing is moved

  --help
      Shows this text.

The command reads the same settings as the server (DATA_DIR, DATABASE_URL, …). It ends with 0 when it did what was asked and
found all right, 1 when not, 2 when it was not understood, 75 when somebody else is at it and the same may go well later;
take-report also when it could not look, so that a mail server brings the mail again.`

/** Each says whether it did what was asked, or found all right; where that is too little, with which code it ends. */
const COMMANDS: Readonly<Record<string, (args: string[], terminal: Terminal) => Promise<boolean | number>>> = {
  'create-user': createUser,
  'take-away': takeAway,
  'erase-proof': eraseProofFromShell,
  'erase-user': eraseUserFromShell,
  'check-audit': checkAudit,
  'check-proofs': checkProofs,
  'check-counts': checkCountsFromShell,
  'mail-dns': checkMailDns,
  'take-report': takeReport,
  check: checkFromShell,
  backup: backUp,
  restore,
  drill: drillRestore,
  prune,
  mend: mendFiles,
  migrate: moveInstallation,
}

/**
 * Runs one command.
 * @returns the exit code: 0 done, 1 refused or failed, 2 not understood, 3 saved but for files that were named, 75 the same
 * may go well later.
 */
export async function runAdmin(args: string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args
  if (
    command === undefined ||
    command === '--help' ||
    command === '-h' ||
    command === 'help' ||
    rest.includes('--help')
  ) {
    terminal.out(HELP)
    return command === undefined ? EXIT_USAGE : EXIT_DONE
  }
  try {
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
    if (!run) throw new UsageError(`There is no command ${command}.`)
    const outcome = await run(rest, terminal)
    if (typeof outcome === 'number') return outcome
    return outcome ? EXIT_DONE : EXIT_FAILED
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`${error.message} See: npm run admin -- --help`)
      return EXIT_USAGE
    }
    terminal.err(explainFailure(error, `${command} failed`))
    return error instanceof InUse ? EXIT_TRY_LATER : EXIT_FAILED
  }
}
