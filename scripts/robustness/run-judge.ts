import { execFile } from 'node:child_process'

export interface JudgeAnswer {
  /** Exit code; -1 when the program was ended or could not be started. */
  code: number
  text: string
  isTimedOut: boolean
}

/** Runs a program of others that judges a file. Never throws for what the program does. */
export function runJudge(
  program: string,
  args: string[],
  timeoutMs: number,
  encoding: 'latin1' | 'utf8' = 'latin1',
): Promise<JudgeAnswer> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { encoding, maxBuffer: 64 << 20, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, output, errors) => {
        if (error !== null && error.code === 'ENOENT') {
          reject(new Error(`${program} is not installed`))
          return
        }
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, text: `${output}${errors}`, isTimedOut: error?.killed === true })
      },
    )
  })
}
