/** Fractional parts of the cube roots of the first 64 primes. FIPS 180-4 section 4.2.2. */
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
)

/** Fractional parts of the square roots of the first 8 primes. FIPS 180-4 section 5.3.3. */
const INITIAL_STATE = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
)

const BLOCK_BYTES = 64

/**
 * SHA-256 of `bytes`, 32 bytes. Synchronous, and there also where a page has no WebCrypto (plain http). Meant for short
 * inputs such as seeds and names: whole files belong to WebCrypto or node:crypto, which are many times faster.
 * @see FIPS 180-4 section 6.2
 */
export function hashSha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const message = padMessage(bytes)
  const state = INITIAL_STATE.slice()
  for (let at = 0; at < message.byteLength; at += BLOCK_BYTES) {
    expandBlock(message, at)
    compressBlock(state)
  }
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  for (let i = 0; i < 8; i++) view.setUint32(4 * i, state[i]!)
  return digest
}

/** One bit 1, zeros, and the length in bits as 64-bit number. FIPS 180-4 section 5.1.1. */
function padMessage(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  return view
}

/** Of the block under way: nothing waits in between, so there is never more than one. */
const schedule = new Int32Array(64)

function expandBlock(message: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = message.getInt32(at + 4 * t)
  for (let t = 16; t < 64; t++) {
    const near = schedule[t - 2]!
    const far = schedule[t - 15]!
    const nearMix = rotateRight(near, 17) ^ rotateRight(near, 19) ^ (near >>> 10)
    const farMix = rotateRight(far, 7) ^ rotateRight(far, 18) ^ (far >>> 3)
    schedule[t] = (((nearMix + schedule[t - 7]!) | 0) + ((farMix + schedule[t - 16]!) | 0)) | 0
  }
}

function compressBlock(state: Int32Array): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixE = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const mixA = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    // Cut to 32 bits at each step: sums that stay whole are several times as fast.
    const first = (((((h + mixE) | 0) + choice) | 0) + ((ROUND_CONSTANTS[t]! + schedule[t]!) | 0)) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (((first + mixA) | 0) + majority) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
