import { formatPoints } from '../pdf/format-points.ts'

/** Red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number]

/** The light tokens of the interface, from OKLCH to sRGB. */
export const COLOURS = {
  white: [1, 1, 1],
  paper: readOklch(0.982, 0.006, 95),
  sheet: readOklch(0.998, 0.002, 95),
  sunk: readOklch(0.958, 0.008, 95),
  line: readOklch(0.895, 0.011, 95),
  lineStrong: readOklch(0.62, 0.015, 95),
  ink: readOklch(0.245, 0.035, 262),
  ink2: readOklch(0.455, 0.028, 262),
  brand: readOklch(0.405, 0.125, 264),
  brandWash: readOklch(0.945, 0.024, 264),
  seal: readOklch(0.5, 0.165, 33),
  sealWash: readOklch(0.955, 0.022, 38),
  ok: readOklch(0.43, 0.095, 160),
  okWash: readOklch(0.95, 0.032, 160),
  warn: readOklch(0.47, 0.1, 72),
  warnWash: readOklch(0.957, 0.045, 88),
} as const satisfies Record<string, Colour>

export const fillColour = (colour: Colour): string => `${writeColour(colour)} rg`
export const strokeColour = (colour: Colour): string => `${writeColour(colour)} RG`

function writeColour(colour: Colour): string {
  return colour.map((part) => formatPoints(part)).join(' ')
}

/** CSS Color 4, section 18: OKLCH → OKLab → linear sRGB → sRGB; what lies outside is clipped. */
function readOklch(lightness: number, chroma: number, hueDegrees: number): Colour {
  const hue = (hueDegrees * Math.PI) / 180
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encodeGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encodeGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encodeGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function encodeGamma(linear: number): number {
  const bounded = Math.max(0, Math.min(1, linear))
  return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055
}
