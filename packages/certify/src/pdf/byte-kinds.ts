/** By byte: 0 regular, 1 white space, 2 delimiter (ISO 32000-2 section 7.2.3). */
export const KINDS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = 1
for (const character of '()<>[]{}/%') KINDS[character.charCodeAt(0)] = 2
