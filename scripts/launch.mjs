// Starts everything: `npm start`, `build`, `dev`, `test`, `test-any-day`, `mutate`, `check`, `format`, `admin`, `demo`, `verify`,
// `bench`, `prints` and `hammer` begin here.
// This file and scripts/launch/ run on Node 20 and without any package, because they install both.
import {
  runAdmin,
  runBench,
  runBuild,
  runCheck,
  runDemo,
  runDev,
  runFormat,
  runHammer,
  runMutate,
  runPrints,
  runStart,
  runTest,
  runTestAnyDay,
  runVerify,
} from './launch/commands.mjs'
import { ensureInstalled } from './launch/install.mjs'
import { LaunchProblem } from './launch/project.mjs'
import { findNode } from './launch/runtime.mjs'

const COMMANDS = {
  start: runStart,
  build: runBuild,
  dev: runDev,
  test: runTest,
  'test-any-day': runTestAnyDay,
  mutate: runMutate,
  check: runCheck,
  format: runFormat,
  admin: runAdmin,
  demo: runDemo,
  verify: runVerify,
  bench: runBench,
  prints: runPrints,
  hammer: runHammer,
}

const [name = '', ...args] = process.argv.slice(2)
try {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new LaunchProblem(`Unknown command "${name}". There are: ${Object.keys(COMMANDS).join(', ')}.`)
  await ensureInstalled()
  process.exitCode = await command(findNode(), args)
} catch (error) {
  if (!(error instanceof LaunchProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
