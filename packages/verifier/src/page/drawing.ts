import type { Step } from '@proofdesk/proof/document-verdict'
import { drawRosette, ROSETTE_PEN, toSvgPath, type RosetteDetail } from '@proofdesk/proof/rosette'

const SVG = 'http://www.w3.org/2000/svg'

const SIGNS: Record<Step['state'], string> = {
  passed: 'M20 6 9 17l-5-5',
  failed: 'M18 6 6 18M6 6l12 12',
  unknown: 'M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20ZM9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01',
}

/** The sign of how a step went. Its word stands beside it, so screen readers skip it. */
export function drawSign(state: Step['state']): SVGElement {
  return draw({ viewBox: '0 0 24 24', class: `sign ${state}` }, { d: SIGNS[state] })
}

/** The guilloche figure of a text: recognition and decoration, never the check. */
export function drawFigure(seed: string, detail: RosetteDetail): SVGElement {
  const rings = drawRosette(seed, detail).rings.map(toSvgPath).join('')
  return draw({ viewBox: '0 0 100 100', class: 'figure' }, { d: rings, 'stroke-width': String(ROSETTE_PEN[detail]) })
}

function draw(attributes: Record<string, string>, line: Record<string, string>): SVGElement {
  const picture = document.createElementNS(SVG, 'svg')
  for (const [name, value] of Object.entries({ ...attributes, 'aria-hidden': 'true', focusable: 'false' }))
    picture.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'path')
  for (const [name, value] of Object.entries(line)) path.setAttribute(name, value)
  picture.append(path)
  return picture
}
