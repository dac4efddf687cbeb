import { watchPerson } from '../lib/session.ts'
import { createStore, useStore } from '../lib/store.ts'

/** Questions and notices that any code may put to the person; `DialogHost` shows them one after the other. */

export interface Question {
  kind: 'question'
  id: number
  title: string
  text?: string | undefined
  /** Word on the button that agrees. */
  action: string
  danger: boolean
  answer: (agreed: boolean) => void
}

export interface Notice {
  kind: 'notice'
  id: number
  title: string
  text?: string | undefined
  tone: 'error' | 'success'
  /** Milliseconds after which it closes by itself. */
  closeAfterMs?: number | undefined
  answer: (agreed: boolean) => void
}

export type Asked = Question | Notice

const waiting = createStore<readonly Asked[]>([])
let lastId = 0

/** @returns whether the person agreed; leaving the dialog counts as no. */
export function askConfirm(given: {
  title: string
  text?: string | undefined
  action: string
  danger?: boolean
}): Promise<boolean> {
  return put((place) => ({ kind: 'question', danger: false, ...given, ...place }))
}

/** @returns once the notice is closed, by the person or by its time. */
export async function showNotice(given: {
  title: string
  text?: string | undefined
  tone?: 'error' | 'success'
  closeAfterMs?: number
}): Promise<void> {
  await put((place) => ({ kind: 'notice', tone: 'error', ...given, ...place }))
}

export function readAsked(): Asked | undefined {
  return waiting.read()[0]
}

export function useAsked(): Asked | undefined {
  return useStore(waiting)[0]
}

function put(make: (place: Pick<Asked, 'id' | 'answer'>) => Asked): Promise<boolean> {
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      waiting.write(waiting.read().filter((other) => other.id !== id))
      resolve(agreed)
    }
    waiting.write([...waiting.read(), make({ id, answer })])
  })
}

// Whoever comes next does not answer for the one before; a notice may still be read.
watchPerson(() => {
  for (const asked of waiting.read()) if (asked.kind === 'question') asked.answer(false)
})
