import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Where a sign-in came from, in words its owner knows again; nothing else of what the browser says is kept. */
export interface Device {
  browser: string | null
  system: string | null
  network: string | null
}

export const UNKNOWN_DEVICE: Device = { browser: null, system: null, network: null }

/** Longer ones are made up. */
const AGENT_MAX_LENGTH = 1000

/** The first that fits: most browsers also name those they descend from. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What a request tells of the device it came from. */
export function describeDevice(request: Pick<FastifyRequest, 'headers' | 'ip'>): Device {
  const agent = (request.headers['user-agent'] ?? '').slice(0, AGENT_MAX_LENGTH)
  return { browser: nameOf(BROWSERS, agent), system: nameOf(SYSTEMS, agent), network: nameNetwork(request.ip) }
}

function nameOf(known: readonly [RegExp, string][], agent: string): string | null {
  return known.find(([pattern]) => pattern.test(agent))?.[1] ?? null
}

/** The first half of an IPv4 address, the first quarter of an IPv6 one: about a provider and its region. */
function nameNetwork(address: string): string | null {
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(bare) === 4) return `${bare.split('.').slice(0, 2).join('.')}.*.*`
  if (!isIPv6(bare)) return null
  const [head = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const groups = [...head.split(':').filter(Boolean), '0', '0'].slice(0, 2)
  return `${groups.join(':')}:*`
}
