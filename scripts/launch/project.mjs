import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, wherever the command was typed. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @param {...string} parts */
export const inProject = (...parts) => join(ROOT, ...parts)

/** What the person at the terminal can mend: printed as one line, without a stack, and the exit code is 1. */
export class LaunchProblem extends Error {
  name = 'LaunchProblem'
}
