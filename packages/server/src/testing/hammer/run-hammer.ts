import { setTimeout as pause } from 'node:timers/promises'
import { askVerifier } from './after/ask-verifier.ts'
import { judgeHistories, type JudgedHistories } from './after/judge-histories.ts'
import { listUnexpected } from './after/judge-log-lines.ts'
import { lookAtAll, waitUntilSettled } from './after/look-at-all.ts'
import { judgeHeads, watchLog } from './after/watch-log.ts'
import type { Installation } from './instance/installation.ts'
import { makeRandom } from './seeded-random.ts'
import type { Crowd } from './traffic/client.ts'
import { makePeople } from './traffic/people.ts'
import { makeRecorder, type Recorder } from './traffic/recorder.ts'
import { runCrowd } from './traffic/run-crowd.ts'
import { makeTargets } from './traffic/targets.ts'
import { makeTroublemaker, type Pace } from './troubles/make-trouble.ts'
import type { Trouble } from './troubles/trouble.ts'

export interface HammerPlan {
  seed: number
  /** How long there is trouble. */
  troubleMs: number
  /** How long there is none after that, while clients go on. */
  calmMs: number
  clients: number
  pace: Pace
  /** Told what is being done now. */
  say?: (line: string) => void
  /** Asked whether to end early; what happened so far is judged all the same. */
  isCutShort?: () => boolean
}

/** What happened, and what is wrong about it. */
export interface HammerResult {
  recorder: Recorder
  troubles: Trouble[]
  histories: JudgedHistories
  /** Signed heads of the log that were shown. */
  heads: number
  /** Certified PDFs that were judged. */
  certified: number
  /** From the end of the troubles until nothing was owed any more. */
  settledMs: number
  /** Everything that is not as it must be, one a line; none in a run that passed. */
  wrong: string[]
}

/** Traffic and trouble at once, then peace, and then everything is looked at. */
export async function runHammer(installation: Installation, plan: HammerPlan): Promise<HammerResult> {
  const { nodes } = installation
  const say = plan.say ?? (() => {})
  const people = await makePeople(installation)
  const recorder = makeRecorder()
  const random = makeRandom(plan.seed)
  const begin = performance.now()
  const troubleEnds = begin + plan.troubleMs
  const isCutShort = () => plan.isCutShort?.() ?? false
  let isOver = false
  const crowd: Crowd = { nodes, people, targets: makeTargets(), recorder, random, isOver: () => isOver }
  const log = watchLog(nodes, makeRandom(plan.seed + 1))
  // Of its own numbers: what clients do has no say in what trouble comes.
  const maker = makeTroublemaker(installation, makeRandom(plan.seed + 2), plan.pace)
  say('traffic and trouble')
  const failures: unknown[] = []
  const running = [runCrowd(crowd, plan.clients), log.run(() => isOver)].map((one) =>
    one.catch((error: unknown) => failures.push(error)),
  )
  try {
    await maker.run(() => performance.now() > troubleEnds || isCutShort() || failures.length > 0)
    say('the troubles have ended')
    await pause(isCutShort() ? 0 : plan.calmMs)
  } finally {
    isOver = true
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]

  const peace = performance.now()
  const after: Crowd = { ...crowd, isOver: () => false }
  const owed = await waitUntilSettled(after)
  const settledMs = performance.now() - peace
  say('everything is looked at')
  await lookAtAll(after)
  say('the histories are judged')
  const histories = judgeHistories(recorder)
  const heads = await judgeHeads(nodes[0]!.url, log.notes)
  say('the certified PDFs are judged')
  const certified = await askVerifier(after, installation.folder)
  const check = await installation.runAdmin('check')
  return {
    recorder,
    troubles: maker.troubles,
    histories,
    heads: heads.heads,
    certified: certified.files,
    settledMs,
    wrong: [
      ...histories.anomalies.map(({ object, kind, told }) => `${object} is ${kind}:\n${told.join('\n')}`),
      ...recorder.wrong.map(({ what, facts }) => `${what}: ${facts}`),
      ...owed,
      ...heads.wrong,
      ...log.smaller,
      ...certified.wrong,
      ...(check.code === 0 ? [] : [`admin check ended with ${check.code}:\n${check.out}`]),
      ...nodes.flatMap((node) =>
        listUnexpected(node.log, node.name, maker.troubles).map((line) => `node ${node.name} logged ${line}`),
      ),
    ],
  }
}
