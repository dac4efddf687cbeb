import { z } from 'zod'
import { addressOf, DEACTIVATED, joinTimeOf, PEOPLE, UNVERIFIED, type DemoPerson } from './people.ts'
import { RefusedCall, type DemoClock, type Stage } from './stage.ts'
import { playPastWeeks, playTickets, type Sent } from './story.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Long enough to build and claim on a busy machine; doubled when it was not. */
const SHORT_LIFE_MS = 4_000

export interface DemoProof {
  proofid: string
  username: string
  title: string
  isExpired: boolean
}

/** Makes an account whose address is known to be theirs. */
export type MakeDemoAccount = (person: DemoPerson, email: string) => Promise<unknown>

/**
 * Plays the demonstration on an empty instance: through its API, but for the verified accounts. Times before today are
 * set back; approvals happen at the true present, since their seals state it.
 */
export async function fillDemo(
  stage: Stage,
  clock: DemoClock,
  password: string,
  makeAccount: MakeDemoAccount,
): Promise<DemoProof[]> {
  for (const person of PEOPLE) {
    await stage.on(person.joinedDaysAgo, joinTimeOf(person))
    await makeAccount(person, addressOf(person))
  }
  const sent = await playPastWeeks(stage)
  await playTickets(stage)
  await stage.on(1, '15:00')
  await deactivate(stage)
  await stage.today()
  // Today, so that the mailed link still works.
  await register(stage, password)
  return approveAll(stage, clock, sent)
}

const Users = z.object({ results: z.array(z.object({ id: z.number(), username: z.string() })) })

async function deactivate(stage: Stage): Promise<void> {
  const superuser = await stage.as('sofia')
  const { results } = Users.parse(await superuser.get(`/admin/users/?search=${DEACTIVATED}`))
  const user = results.find(({ username }) => username === DEACTIVATED)
  if (!user) throw new Error(`${DEACTIVATED} is not among the users`)
  await superuser.patch(`/admin/users/${user.id}/`, { is_active: false })
}

async function register(stage: Stage, password: string): Promise<void> {
  await stage.stranger().post('/auth/register/', {
    username: UNVERIFIED.username,
    email: addressOf(UNVERIFIED),
    first_name: UNVERIFIED.firstName,
    last_name: UNVERIFIED.lastName,
    phone_number: UNVERIFIED.phone,
    birthdate: UNVERIFIED.birthdate,
    password,
  })
}

const Approved = z.object({ proofid: z.string(), title: z.string(), username: z.string() })

async function approveAll(stage: Stage, clock: DemoClock, sent: Sent): Promise<DemoProof[]> {
  async function approve(reviewer: string, id: number, words: string, expireAt: number | null): Promise<DemoProof> {
    const expire_time = expireAt === null ? null : new Date(expireAt).toISOString()
    const decision = { admin_desc: words, expire_time }
    const answer = await (await stage.as(reviewer)).post(`/admin/${id}/approve/`, decision)
    return { ...Approved.parse(answer), isExpired: false }
  }
  async function approveBriefly(lifeMs: number): Promise<{ proof: DemoProof; expireAt: number }> {
    const expireAt = clock.now() + lifeMs
    try {
      return { proof: await approve('kwame', sent.permit, 'Valid for this visit only.', expireAt), expireAt }
    } catch (error) {
      // It ran out before it could be claimed.
      if (error instanceof RefusedCall && error.status === 400 && lifeMs < 60_000) return approveBriefly(lifeMs * 2)
      throw error
    }
  }
  const brief = await approveBriefly(SHORT_LIFE_MS)
  const now = clock.now()
  const lasting = [
    await approve('aiko', sent.diploma, 'Compared with the register of the school.', null),
    await approve('kwame', sent.lease, 'Both signatures are there.', now + 365 * DAY_MS),
    await approve('aiko', sent.transcript, 'Compared with the register of the university.', null),
    await approve('sofia', sent.studio, 'Approved for the time of the lease.', now + 30 * DAY_MS),
  ]
  while (clock.now() <= brief.expireAt) await new Promise((resolve) => setTimeout(resolve, 100))
  await stage.today()
  return [...lasting, { ...brief.proof, isExpired: true }]
}
