/**
 * All that a program needs that is started as if nobody had set anything. What Node has compiled before changes nothing but
 * its pace.
 */
export const BARE_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
