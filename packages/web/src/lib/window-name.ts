import { makeRandomName } from './random-name.ts'

/** Names this window to the server: live hints of what it changed itself are not sent to it. */
export const WINDOW = makeRandomName()
