/** Asked of whoever logs out, each as long as something would be lost by it. They come with the code that would lose it. */
const questions = new Set<() => Promise<boolean>>()

/** @returns what ends it */
export function askBeforeLogout(ask: () => Promise<boolean>): () => void {
  questions.add(ask)
  return () => questions.delete(ask)
}

export async function agreesToLogout(): Promise<boolean> {
  for (const ask of questions) if (!(await ask())) return false
  return true
}
