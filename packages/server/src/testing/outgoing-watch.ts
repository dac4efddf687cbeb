// Loaded before a program of the product: writes each place that its JavaScript reaches for, and each module of OpenTelemetry
// that it loads, as a line into the file that OUTGOING names.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const file = process.env['OUTGOING'] ?? ''
const say = (what: string, where: unknown) => appendFileSync(file, `${JSON.stringify({ what, where })}\n`)

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

function watch(holder: object, name: string, what: string, describe: (args: unknown[]) => unknown): void {
  const functions = holder as Record<string, AnyFunction>
  const original = functions[name]
  if (!original) return
  functions[name] = function watched(...args) {
    say(what, describe(args))
    return original.apply(this, args)
  }
}

/** Options or a path, as `net` passes them within. */
function describeTarget([first]: unknown[]): unknown {
  const options = (Array.isArray(first) ? first[0] : first) as { host?: string; port?: number; path?: string } | number
  if (typeof options !== 'object') return { port: options }
  return { host: options.host, port: options.port, path: options.path }
}

watch(net.Socket.prototype, 'connect', 'connect', describeTarget)
watch(dgram.Socket.prototype, 'send', 'send', ([, ...rest]) => rest.filter((one) => typeof one !== 'function'))
watch(dgram.Socket.prototype, 'connect', 'connect', (args) => args.slice(0, 2))
for (const holder of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(holder))
    if (/^(?:lookup|resolve|reverse)/.test(name)) watch(holder, name, 'name', ([host]) => host)
syncBuiltinESMExports()

registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/@opentelemetry/')) say('module', url)
    return nextLoad(url, context)
  },
})
