/** Where a program that runs beside others says what it has to say. */
export interface Voice {
  say(to: NodeJS.WritableStream, words: string | Uint8Array): void
  /** It has said all. */
  end(): void
}

/**
 * Has speakers heard one after the other, each as a whole: the first of them that has not ended is heard at once, what the
 * others say meanwhile is kept until their turn.
 */
export function takeTurns<T>(speakers: readonly T[]): (speaker: T) => Voice {
  const kept = new Map(speakers.map((speaker) => [speaker, [] as [NodeJS.WritableStream, string | Uint8Array][]]))
  const ended = new Set<T>()
  function passOn(): void {
    for (const [speaker, said] of kept) {
      for (const [to, words] of said.splice(0)) to.write(words)
      if (!ended.has(speaker)) return
    }
  }
  return (speaker) => ({
    say: (to, words) => {
      kept.get(speaker)?.push([to, words])
      passOn()
    },
    end: () => {
      ended.add(speaker)
      passOn()
    },
  })
}
