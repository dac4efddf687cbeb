import { createContext, use, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useSession } from './session.ts'
import { createStore, useStore, type Store } from './store.ts'

type KeptStates = Map<string, Store<unknown>>

const ScreenStates = createContext<KeptStates>(new Map())
const LeftPath = createContext<string | undefined>(undefined)

/** Path of the page that was left last; undefined on the first one. */
export function useLeftPath(): string | undefined {
  return use(LeftPath)
}

/**
 * Keeps what screens hold by `useScreenState` while the frame around them is exchanged, which makes them anew. Another page
 * begins with nothing, and so does the page of a person after whom nobody, or somebody else, is signed in.
 */
export function ScreenStateKeeper({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const session = useSession()
  const person = session.phase === 'signed-in' ? session.user.id : undefined
  const [kept, setKept] = useState(() => ({
    pathname,
    left: undefined as string | undefined,
    person,
    states: new Map() as KeptStates,
  }))
  if (kept.pathname !== pathname || kept.person !== person) {
    const goesOn = kept.pathname === pathname && kept.person === undefined
    const left = kept.pathname === pathname ? kept.left : kept.pathname
    setKept({ pathname, left, person, states: goesOn ? kept.states : new Map() })
  }
  return (
    <LeftPath value={kept.left}>
      <ScreenStates value={kept.states}>{children}</ScreenStates>
    </LeftPath>
  )
}

/**
 * State of a screen that everybody may see and that the frame of signed-in people may come around at any time.
 * @param name Of the value on its page.
 * @returns also what reads the value as it is by then, for effects and answers that come late
 */
export function useScreenState<Value>(
  name: string,
  initial: () => Value,
): [value: Value, write: (next: Value) => void, read: () => Value] {
  const states = use(ScreenStates)
  const [store] = useState(() => claim(states, name, initial))
  return [useStore(store), store.write, store.read]
}

/** Each name belongs to one hook, and so to one type. */
function claim<Value>(states: KeptStates, name: string, initial: () => Value): Store<Value> {
  const known = states.get(name) as Store<Value> | undefined
  if (known) return known
  const made = createStore(initial())
  states.set(name, made)
  return made
}
