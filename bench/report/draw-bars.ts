import type { Figure } from './figure.ts'

const WIDTH = 640
const NAME_WIDTH = 250
const BAR_WIDTH = WIDTH - NAME_WIDTH - 90
const ROW_HEIGHT = 34
const BAR_HEIGHT = 16
const TOP = 34
const COLORS = { kept: '#2f7d4f', missed: '#b4402f', free: '#5b6b7b', must: '#222222', aim: '#8a8a8a' }

/** A picture of figures side by side, each on a scale of its own, with lines where it must be and where it aims. */
export function drawBars(title: string, figures: readonly Figure[]): string {
  const height = TOP + figures.length * ROW_HEIGHT + 10
  const rows = figures.map((figure, index) => drawRow(figure, TOP + index * ROW_HEIGHT))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="8" y="20" font-size="14" font-weight="bold">${escapeXml(title)}</text>
<text x="${WIDTH - 8}" y="20" text-anchor="end" fill="${COLORS.aim}">dark line: must, grey line: aim</text>
${rows.join('\n')}
</svg>
`
}

function drawRow(figure: Figure, top: number): string {
  const { value, must, aim } = figure
  const scale = BAR_WIDTH / Math.max(1e-9, 1.1 * Math.max(0, value, must ?? 0, aim ?? 0))
  const toX = (at: number) => NAME_WIDTH + Math.max(0, at) * scale
  const line = (at: number | undefined, color: string) =>
    at === undefined
      ? ''
      : `<line x1="${toX(at).toFixed(1)}" x2="${toX(at).toFixed(1)}" y1="${top - 3}" y2="${top + BAR_HEIGHT + 3}" stroke="${color}" stroke-width="2"/>`
  const keeps = keepsMust(figure)
  const color = keeps === undefined ? COLORS.free : keeps ? COLORS.kept : COLORS.missed
  return [
    `<text x="${NAME_WIDTH - 8}" y="${top + 12}" text-anchor="end">${escapeXml(figure.name)}</text>`,
    `<rect x="${NAME_WIDTH}" y="${top}" width="${(toX(value) - NAME_WIDTH).toFixed(1)}" height="${BAR_HEIGHT}" fill="${color}"/>`,
    line(must, COLORS.must),
    line(aim, COLORS.aim),
    `<text x="${WIDTH - 8}" y="${top + 12}" text-anchor="end">${formatValue(value, figure.unit)}</text>`,
  ].join('')
}

/** @returns undefined where nothing is promised. */
export function keepsMust({ value, must, better }: Figure): boolean | undefined {
  if (must === undefined) return undefined
  return better === 'more' ? value >= must : value <= must
}

export function formatValue(value: number, unit: Figure['unit']): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`.trimEnd()
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
