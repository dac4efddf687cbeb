/**
 * All that a program needs that is started as if nobody had set anything. What Node has compiled before, and what the runner of
 * the tests has bundled, change nothing but its pace.
 */
export const BARE_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE', 'PROOFDESK_PARSING_PROGRAM'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
