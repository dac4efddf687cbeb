/**
 * A process of its own in which the admin command runs many times, one after the other: each line that it reads is the words of
 * one, as JSON, and each line that it prints what became of it. Starting the program anew takes far longer than what it does.
 */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { runAdmin } from '../admin/commands.ts'

export interface ShellAnswer {
  exitCode: number
  complaints: string[]
}

process.umask(0o077)

for await (const line of createInterface(process.stdin)) {
  const complaints: string[] = []
  const exitCode = await runAdmin(JSON.parse(line) as string[], {
    out: () => {},
    err: (text) => complaints.push(text),
    input: Readable.from([]),
    environment: process.env,
  })
  process.stdout.write(`${JSON.stringify({ exitCode, complaints } satisfies ShellAnswer)}\n`)
}
