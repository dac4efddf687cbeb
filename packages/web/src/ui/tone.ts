/** Colour of a status; always beside an icon and a word, never alone. */
export type Tone = 'brand' | 'ok' | 'warn' | 'seal' | 'muted'

export const TONES: Record<Tone, string> = {
  brand: 'bg-brand-wash text-brand',
  ok: 'bg-ok-wash text-ok',
  warn: 'bg-warn-wash text-warn',
  seal: 'bg-seal-wash text-seal',
  muted: 'bg-sunk text-ink-2',
}
