import { z } from 'zod'

/** What a process says to the one that leads it, and the other way round. */
const Said = z.discriminatedUnion('say', [
  z.object({ say: z.literal('ready') }),
  z.object({ say: z.literal('gather'), id: z.string() }),
  z.object({ say: z.literal('gathered'), id: z.string(), text: z.string().optional() }),
])
export type Said = z.output<typeof Said>

/** Libraries speak on the same line. */
export const readSaid = (message: unknown): Said | undefined => Said.safeParse(message).data
