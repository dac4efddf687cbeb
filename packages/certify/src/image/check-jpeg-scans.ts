import { Refusal } from '../errors.ts'

const BASELINE = new Set([0xc0, 0xc1])
const PROGRESSIVE = 0xc2
/** Coefficients of a block that readers guess where they are missing or rough, each in its own way. */
const GUESSED = 9
const UNKNOWN = 0xff

interface Frame {
  isProgressive: boolean
  width: number
  height: number
  components: Component[]
}

interface Component {
  id: number
  across: number
  down: number
  scans: number
  /** Of the coefficients, how many bits are still to come. */
  missing: Uint8Array
}

/**
 * Looks whether the scans of a JPEG say each thing once, and whole. Decoders take the first or the last of what stands twice, guess what is
 * missing, and find their way again at different marks (ITU-T T.81 annexes B, E and G).
 * @throws Refusal `unreadable`.
 */
export function checkJpegScans(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frame: Frame | undefined
  let interval = 0
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === 0xd9) break
    if (marker === 0xff || marker === 0x01) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker >= 0xd0 && marker <= 0xd8) refuse('with a picture, or a place to begin again, where none can be')
    const end = at + 2 + view.getUint16(at + 2)
    const body = bytes.subarray(at + 4, end)
    at = end
    if (BASELINE.has(marker) || marker === PROGRESSIVE) frame = readFrame(body, marker, frame)
    else if (marker === 0xdd) interval = body.length === 2 ? (body[0]! << 8) | body[1]! : refuse('with an odd interval')
    else if (marker === 0xdc) refuse('that says its height behind its data')
    else if (marker === 0xda && frame !== undefined) {
      const units = noteScan(frame, body)
      at = followData(bytes, at, interval === 0 ? 0 : Math.ceil(units / interval) - 1)
    }
  }
  if (frame !== undefined) checkWhole(frame)
}

function readFrame(body: Uint8Array, marker: number, before: Frame | undefined): Frame {
  if (before !== undefined) refuse('with two frames')
  const components = Array.from({ length: body[5] ?? 0 }, (_, i): Component => {
    const [id = 0, factors = 0] = body.subarray(6 + 3 * i)
    return { id, across: factors >> 4, down: factors & 15, scans: 0, missing: new Uint8Array(64).fill(UNKNOWN) }
  })
  if (new Set(components.map(({ id }) => id)).size < components.length) refuse('with two components of one name')
  return {
    isProgressive: marker === PROGRESSIVE,
    height: ((body[1] ?? 0) << 8) | (body[2] ?? 0),
    width: ((body[3] ?? 0) << 8) | (body[4] ?? 0),
    components,
  }
}

/** @returns how many units it has, after each of which it may begin again. */
function noteScan({ isProgressive, width, height, components }: Frame, body: Uint8Array): number {
  const count = body[0] ?? 0
  const [from = 0, to = 0, bits = 0] = body.subarray(1 + 2 * count)
  const chosen = Array.from({ length: count }, (_, i) => {
    const found = components.find(({ id }) => id === body[1 + 2 * i])
    return found ?? refuse('with a scan of a component that is not there')
  })
  for (const component of chosen) {
    component.scans++
    if (isProgressive) component.missing.fill(bits & 15, from, Math.min(to, 63) + 1)
  }
  const [mostAcross, mostDown] = [
    Math.max(...components.map(({ across }) => across)),
    Math.max(...components.map(({ down }) => down)),
  ]
  const [only, ...others] = chosen
  if (only === undefined) return refuse('with a scan of nothing')
  // a component by itself comes in blocks, several in units of all that belongs together
  const [unitAcross, unitDown] =
    others.length > 0 ? [8 * mostAcross, 8 * mostDown] : [(8 * mostAcross) / only.across, (8 * mostDown) / only.down]
  return Math.ceil(width / unitAcross) * Math.ceil(height / unitDown)
}

/**
 * @param due Marks at which decoding begins again. Scanners write one more right before the end: there is nothing that could begin.
 * @returns the place of the mark behind the data.
 */
function followData(bytes: Uint8Array, from: number, due: number): number {
  let restarts = 0
  let last = 0
  for (let at = from; ;) {
    at = bytes.indexOf(0xff, at)
    const marker = at < 0 ? undefined : bytes[at + 1]
    if (marker === undefined) return bytes.length
    if (marker >= 0xd0 && marker <= 0xd7) {
      if (marker !== 0xd0 + (restarts % 8)) refuse('that begins again at the wrong place')
      restarts++
      last = at
    } else if (marker !== 0 && marker !== 0xff) {
      const isOneMore = due > 0 && restarts === due + 1 && at === last + 2 && marker === 0xd9
      if (restarts !== due && !isOneMore) refuse('that begins again too often, or too seldom')
      return at
    }
    at += marker === 0xff ? 1 : 2
  }
}

function checkWhole({ isProgressive, components }: Frame): void {
  for (const { scans, missing } of components) {
    const isWhole = isProgressive ? missing.subarray(0, GUESSED + 1).every((bits) => bits === 0) : scans === 1
    if (!isWhole) refuse('whose scans are not whole, or say something twice')
  }
}

function refuse(kind: string): never {
  throw new Refusal('unreadable', `a JPEG ${kind}`)
}
