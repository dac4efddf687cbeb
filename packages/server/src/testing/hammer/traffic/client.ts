import { randomBytes } from 'node:crypto'
import { RevocationReason } from '@proofdesk/contract/proof-verdict'
import { makePdf } from '../../small-files.ts'
import type { HammerNode } from '../instance/node.ts'
import type { Answered, CollectionCall, Told } from '../models/collection-calls.ts'
import type { Random } from '../seeded-random.ts'
import { ask, judgeReply, nameReply, type Judged, type Question } from './ask.ts'
import { findToken, type Person } from './people.ts'
import type { Recorder } from './recorder.ts'
import * as show from './show.ts'
import type { Target, Targets } from './targets.ts'

export interface Crowd {
  nodes: readonly HammerNode[]
  people: readonly Person[]
  targets: Targets
  recorder: Recorder
  random: Random
  isOver: () => boolean
}

interface Asked {
  judged: Judged
  began: number
  ended: number
  person: Person
}

/** Where a call goes: any node, unless one is named. */
export type Where = HammerNode | undefined

/** What one may do to an installation, each call recorded with its answer. Nothing is ever asked again. */
export function makeClient(crowd: Crowd) {
  const { nodes, people, targets, recorder, random } = crowd
  const staff = () => random.pick(people.filter(({ role }) => role === 'staff'))
  const superuser = () => people.find(({ role }) => role === 'superuser')!
  const anybody = ({ owner }: Target) => (random.chance(0.4) ? owner : staff())
  const word = (what: string) => `${what} ${randomBytes(6).toString('hex')}`

  /** @param person null for a stranger. @returns undefined when the run is over. */
  async function put(
    kind: string,
    person: Person | null,
    question: Question,
    where: Where,
  ): Promise<Asked | undefined> {
    const token = person === null ? undefined : await findToken(person, nodes, random, crowd.isOver)
    if (person !== null && token === undefined) return undefined
    const node = where ?? random.pick(nodes)
    const began = performance.now()
    const reply = await ask(node.url, { ...question, token })
    const ended = performance.now()
    const judged = judgeReply(reply)
    const isDone = judged.told === 'done'
    const told = nameReply(reply)
    recorder.counted.push({
      kind,
      node: node.name,
      began,
      ended,
      reply: told,
      isDone,
      isWrite: question.method !== 'GET' && person !== null,
    })
    if (reply?.code === 'internal')
      recorder.wrong.push({ what: `${kind}: an error of the program`, facts: JSON.stringify(reply.json) })
    // A session that ended, or that a node whose clock is elsewhere takes for ended.
    if (person !== null && judged.told === 'refused' && judged.code === 'not_signed_in') person.token = undefined
    return { judged, began, ended, person: person ?? people[0]! }
  }

  /** What an answer shows; one of another shape than the contract's is wrong. */
  function read<Shown>({ judged }: Asked, look: (json: unknown, bytes: Uint8Array) => Shown): Told<Shown> {
    if (judged.told !== 'done') return judged
    try {
      return { told: 'done', shown: look(judged.json, judged.bytes) }
    } catch (error) {
      recorder.wrong.push({ what: 'an answer of another shape', facts: String(error).slice(0, 300) })
      return { told: 'unknown' }
    }
  }

  function add({ id }: Target, call: CollectionCall, { began, ended }: Asked): void {
    recorder.addToCollection(id, call, began, ended)
  }

  /** A question without an answer tells nothing. */
  function addAnswered<Shown>(answer: Told<Shown>, record: (answer: Answered<Shown>) => void): void {
    if (answer.told !== 'unknown') record(answer)
  }

  const lookAt = (person: Person) => (json: unknown) => {
    const row = show.showCollection(json)
    const target = targets.all.get(row.id)
    if (target) learn(target, row)
    return show.toSeen(row, person)
  }

  /** A change whose answer shows the collection that it left. */
  async function change(
    kind: 'rename' | 'send' | 'reject' | 'withdraw',
    target: Target,
    person: Person,
    question: Question,
    where: Where,
    toCall: (answer: Told<ReturnType<typeof show.toSeen>>) => CollectionCall,
  ): Promise<void> {
    const asked = await put(kind, person, question, where)
    if (asked) add(target, toCall(read(asked, lookAt(person))), asked)
  }

  return {
    create: async (where?: Where) => {
      const owner = random.pick(people.filter(({ role }) => role === 'user'))
      const title = word('Degree')
      const asked = await put('create', owner, { method: 'POST', path: '/collections/', body: { title } }, where)
      if (!asked) return
      const row = read(asked, show.showCollection)
      if (row.told !== 'done') return
      const { id } = row.shown
      const answer = { told: 'done', shown: show.toSeen(row.shown, owner) } as const
      recorder.addToCollection(id, { kind: 'create', title, answer }, asked.began, asked.ended)
      targets.add(id, owner)
    },

    rename: (target: Target, where?: Where) => {
      const title = word('Diploma')
      const question: Question = { method: 'PATCH', path: `/collections/${target.id}/`, body: { title } }
      return change('rename', target, target.owner, question, where, (answer) => ({ kind: 'rename', title, answer }))
    },

    upload: async (target: Target, where?: Where) => {
      const bytes = new Uint8Array(makePdf(1, word('File'), random.chance(0.04) ? 200_000 : 0))
      const sha256 = show.hashBytes(bytes)
      const body = new FormData()
      body.set('collection', String(target.id))
      body.set('title_type', 'TYPE1')
      body.set('file', new Blob([bytes], { type: 'application/pdf' }), 'degree.pdf')
      const asked = await put('upload', target.owner, { method: 'POST', path: '/contents/', body }, where)
      if (!asked) return
      const answer = read(asked, (json) => {
        const content = show.showContent(json)
        target.files.set(content.id, content.sha256)
        target.fileCount = Math.max(target.fileCount, target.files.size)
        return { sha256: content.sha256 }
      })
      add(target, { kind: 'upload', sha256, answer }, asked)
    },

    send: (target: Target, where?: Where) => {
      const question: Question = { method: 'POST', path: `/collections/${target.id}/save/` }
      return change('send', target, target.owner, question, where, (answer) => ({ kind: 'send', answer }))
    },

    approve: async (target: Target, where?: Where) => {
      const person = staff()
      const [text, digest] = [word('Fine'), findDigest(target)]
      const body = { admin_desc: text, ...(digest !== undefined && { digest }) }
      const path = `/admin/${target.id}/approve/`
      const asked = await put('approve', person, { method: 'POST', path, body }, where)
      if (!asked) return
      // It is decided at one moment, and looked at once it is published, or when that takes too long.
      const answer = read(asked, lookAt(person))
      const claimed = answer.told === 'done' ? { told: 'done' as const, shown: undefined } : answer
      add(target, { kind: 'approve', text, by: person.username, digest, answer: claimed }, asked)
      if (answer.told === 'done') add(target, { kind: 'see', answer }, asked)
    },

    reject: (target: Target, where?: Where) => {
      const person = staff()
      const [text, digest] = [word('No'), findDigest(target)]
      const body = { admin_desc: text, ...(digest !== undefined && { digest }) }
      const question: Question = { method: 'POST', path: `/admin/${target.id}/reject/`, body }
      const by = person.username
      return change('reject', target, person, question, where, (answer) => ({
        kind: 'reject',
        text,
        by,
        digest,
        answer,
      }))
    },

    withdraw: (target: Target, where?: Where) => {
      const person = superuser()
      const text = word('Withdrawn')
      const question: Question = { method: 'POST', path: `/admin/${target.id}/withdraw/`, body: { admin_desc: text } }
      const by = person.username
      return change('withdraw', target, person, question, where, (answer) => ({ kind: 'withdraw', text, by, answer }))
    },

    revoke: async (target: Target, where?: Where) => {
      const { proofId } = target
      if (proofId === undefined) return
      const reason = random.pick(RevocationReason.options.filter((option) => option !== 'other'))
      const count = findCount(target)
      const body = { proofid: proofId, reason, ...(count !== undefined && { change_count: count }) }
      const asked = await put('revoke', staff(), { method: 'POST', path: '/admin/proofs/revoke/', body }, where)
      if (!asked) return
      const answer = read(asked, show.showChangeCount)
      if (answer.told === 'done') Object.assign(target, { isRevoked: true, changeCount: answer.shown })
      add(target, { kind: 'revoke', proofId, reason, count, answer }, asked)
    },

    reinstate: async (target: Target, where?: Where) => {
      const { proofId } = target
      if (proofId === undefined) return
      const count = findCount(target)
      const body = { proofid: proofId, ...(count !== undefined && { change_count: count }) }
      const asked = await put('reinstate', staff(), { method: 'POST', path: '/admin/proofs/reinstate/', body }, where)
      if (!asked) return
      const answer = read(asked, show.showChangeCount)
      if (answer.told === 'done') Object.assign(target, { isRevoked: false, changeCount: answer.shown })
      add(target, { kind: 'reinstate', proofId, count, answer }, asked)
    },

    see: async (target: Target, where?: Where) => {
      const person = anybody(target)
      const asked = await put('see', person, { method: 'GET', path: `/collections/${target.id}` }, where)
      if (asked) addAnswered(read(asked, lookAt(person)), (answer) => add(target, { kind: 'see', answer }, asked))
    },

    'see list': async (target: Target, where?: Where) => {
      const person = anybody(target)
      const status = random.pick(['', '?status=in_progress', '?status=approved', '?ordering=-created_at'])
      const asked = await put('see list', person, { method: 'GET', path: `/collections/${status}` }, where)
      if (!asked) return
      const rows = read(asked, show.showCollections)
      if (rows.told !== 'done') return
      for (const row of rows.shown) {
        const listed = targets.all.get(row.id)
        if (!listed) continue
        add(listed, { kind: 'see', answer: { told: 'done', shown: show.toSeen(row, person) } }, asked)
      }
    },

    'see files': async (target: Target, where?: Where) => {
      const path = `/contents/?collection=${target.id}`
      const asked = await put('see files', anybody(target), { method: 'GET', path }, where)
      if (asked) addAnswered(read(asked, show.showFiles), (answer) => add(target, { kind: 'see files', answer }, asked))
    },

    'see rounds': async (target: Target, where?: Where) => {
      const path = `/collections/${target.id}/submissions/`
      const person = anybody(target)
      const asked = await put('see rounds', person, { method: 'GET', path }, where)
      const isOwner = person === target.owner
      if (asked)
        addAnswered(read(asked, show.showRounds), (answer) =>
          add(target, { kind: 'see rounds', isOwner, answer }, asked),
        )
    },

    'see changes': async (target: Target, where?: Where) => {
      const { proofId } = target
      if (proofId === undefined) return
      const path = `/content-servers/changes/?collection_proofid=${proofId}`
      const asked = await put('see changes', anybody(target), { method: 'GET', path }, where)
      if (asked)
        addAnswered(read(asked, show.showChanges), (answer) =>
          add(target, { kind: 'see changes', proofId, answer }, asked),
        )
    },

    verify: async (target: Target, where?: Where) => {
      const { proofId } = target
      if (proofId === undefined) return
      const body = { proofid: proofId, username: target.owner.username }
      const asked = await put(
        'verify',
        null,
        { method: 'POST', path: '/service-content-servers/verdict/', body },
        where,
      )
      if (asked)
        addAnswered(read(asked, show.showVerified), (answer) => add(target, { kind: 'verify', proofId, answer }, asked))
    },

    fetch: async (target: Target, where?: Where) => {
      const { proofId } = target
      if (proofId === undefined) return
      const query = new URLSearchParams({ proofid: proofId, username: target.owner.username })
      const path = `/service-content-servers/get-pdfs/?${query}`
      const asked = await put('fetch', null, { method: 'GET', path }, where)
      if (!asked) return
      const answer = read(asked, (_json, bytes) => ({ sha256: show.hashBytes(bytes) }))
      addAnswered(answer, (known) => add(target, { kind: 'fetch', proofId, answer: known }, asked))
    },

    'fetch file': async (target: Target, where?: Where) => {
      if (target.files.size > 0) await fetchFile(target, random.pick([...target.files]), where)
    },

    'fetch every file': async (target: Target, where?: Where) => {
      for (const file of target.files) await fetchFile(target, file, where)
    },

    comment: async (target: Target, where?: Where) => {
      const text = word('Look')
      const body = { collection: target.id, text }
      const asked = await put('comment', anybody(target), { method: 'POST', path: '/comments/', body }, where)
      if (!asked) return
      const call = { kind: 'comment', text, answer: read(asked, show.showComment) } as const
      recorder.addToComments(target.id, call, asked.began, asked.ended)
    },

    'see comments': async (target: Target, where?: Where) => {
      const path = `/comments/?collection=${target.id}`
      const asked = await put('see comments', anybody(target), { method: 'GET', path }, where)
      if (!asked) return
      addAnswered(read(asked, show.showComments), (answer) =>
        recorder.addToComments(target.id, { kind: 'see comments', answer }, asked.began, asked.ended),
      )
    },
  }

  /** A file that was acknowledged never changes, so no order need be looked for. */
  async function fetchFile(target: Target, [id, sha256]: readonly [number, string], where: Where): Promise<void> {
    const path = `/contents/serve/?content_id=${id}`
    const asked = await put('fetch file', anybody(target), { method: 'GET', path }, where)
    if (!asked) return
    const answer = read(asked, (_json, bytes) => show.hashBytes(bytes))
    const isWrong =
      answer.told === 'done' ? answer.shown !== sha256 : answer.told === 'refused' && !MAY_REFUSE_FILE.has(answer.code)
    const facts = JSON.stringify({ id, sha256, answer })
    if (isWrong) recorder.wrong.push({ what: 'fetch file: another file than was acknowledged', facts })
  }

  /** Half of them decide on what they looked at, half on whatever waits. */
  function findDigest({ digest }: Target): string | undefined {
    return random.chance(0.5) ? digest : undefined
  }

  function findCount({ changeCount }: Target): number | undefined {
    return random.chance(0.5) ? changeCount : undefined
  }
}

const MAY_REFUSE_FILE = new Set(['unreachable', 'not_signed_in', 'storage_unavailable', 'busy', 'rate_limited'])

function learn(target: Target, row: ReturnType<typeof show.showCollection>): void {
  const { is_locked, proofid, revoked_at, submission, sealing } = row
  target.phase = proofid !== null ? 'published' : sealing ? 'claimed' : is_locked ? 'sent' : 'open'
  target.isRevoked = revoked_at !== null
  if (proofid !== null) target.proofId = proofid
  if (typeof submission?.digest === 'string') target.digest = submission.digest
  if (submission) target.rounds = submission.number
  target.fileCount = Math.max(target.fileCount, row.content_count)
}

export type Client = ReturnType<typeof makeClient>
export type ClientCall = keyof Client
