import { type PDF, PdfArray, PdfDict } from '@libpdf/core'
import { formatPoints } from '../pdf/format-points.ts'
import type { SourcePage } from '../pdf/list-pages.ts'
import { makeStream, nameOf, numberOf, numbersOf, readNumber, readNumbers } from '../pdf/object-store.ts'
import { joinPoints as join, readColour, readRect, readWidth } from './read-pens.ts'
import { findAppearance, isShown, readKind, readQuads } from './shown-annotations.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** Operators that paint, the box they stay within, and how they mix with what is below. */
interface Look {
  content: string
  /** Left, bottom, right, top. */
  box: number[]
  blend?: 'Multiply'
}

interface Pens {
  /** Operators; empty where nothing is filled. */
  stroke: string
  fill: string
  /** Of lines that must be seen; 0 is none. */
  width: number
  rect: number[]
}

/**
 * Gives marks of reviewers without a picture the one that pdf.js draws for them, so that the copy needs no reader to invent
 * one. Kinds for which it draws nothing get nothing. Changes the loaded source only.
 */
export function drawMarkup(source: PDF, pages: readonly SourcePage[], resolve: Resolve): void {
  for (const { dict } of pages) {
    const list = resolve(dict.get('Annots'))
    if (!(list instanceof PdfArray)) continue
    for (const item of list) {
      const annotation = resolve(item)
      if (!(annotation instanceof PdfDict) || !isShown(annotation, resolve)) continue
      if (findAppearance(annotation, resolve) !== undefined) continue
      const look = drawLook(annotation, resolve)
      if (look !== undefined) setLook(source, annotation, look, resolve)
    }
  }
}

function setLook(source: PDF, annotation: PdfDict, { content, box, blend }: Look, resolve: Resolve): void {
  const state = new PdfDict()
  if (blend !== undefined) state.set('BM', nameOf(blend))
  const opacity = readNumber(annotation.get('CA'), resolve)
  if (opacity !== undefined) for (const key of ['CA', 'ca']) state.set(key, numberOf(opacity))
  const stream = makeStream(
    {
      Type: nameOf('XObject'),
      Subtype: nameOf('Form'),
      BBox: numbersOf(box),
      Resources: PdfDict.of({ ExtGState: PdfDict.of({ GS0: state }) }),
    },
    `/GS0 gs ${content}`,
  )
  annotation.set('Rect', numbersOf(box))
  annotation.set('AP', PdfDict.of({ N: source.register(stream) }))
}

function drawLook(annotation: PdfDict, resolve: Resolve): Look | undefined {
  const kind = readKind(annotation, resolve)
  const rect = readRect(annotation, resolve)
  if (rect === undefined) return undefined
  const pens: Pens = {
    stroke: readColour(annotation, 'C', ['G', 'RG', 'K'], resolve) ?? '0 G',
    fill: readColour(annotation, 'IC', ['g', 'rg', 'k'], resolve) ?? '',
    width: readWidth(annotation, rect, resolve) ?? 0,
    rect,
  }
  if (kind === 'Square' || kind === 'Circle') return drawShape(kind, pens)
  if (kind === 'Line') return drawPaths([readNumbers(annotation.get('L'), resolve) ?? []], pens, 'S')
  if (kind === 'Ink') return drawPaths(readInk(annotation, resolve), pens, 'S')
  if (kind === 'PolyLine' || kind === 'Polygon') {
    const isStroked = annotation.has('C') || pens.fill === ''
    const operator = pens.fill === '' ? 'S' : isStroked ? 'B' : 'f'
    return drawPaths([readNumbers(annotation.get('Vertices'), resolve) ?? []], pens, operator)
  }
  const quads = readQuads(annotation, resolve)
  return quads === undefined ? undefined : drawQuads(kind, quads, annotation, pens, resolve)
}

function drawShape(kind: 'Square' | 'Circle', { stroke, fill, width, rect }: Pens): Look | undefined {
  if (width === 0 && fill === '') return undefined
  const [left, bottom, right, top] = rect as [number, number, number, number]
  const [x0, y0, x1, y1] = [left + width / 2, bottom + width / 2, right - width / 2, top - width / 2]
  const path = kind === 'Square' ? `${join([x0, y0, x1 - x0, y1 - y0])} re` : drawEllipse(x0, y0, x1, y1)
  return { content: `${stroke} ${fill} ${formatPoints(width)} w ${path} ${fill === '' ? 'S' : 'B'}`, box: rect }
}

function drawEllipse(x0: number, y0: number, x1: number, y1: number): string {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
  // four curves come nearest to an ellipse with their handles at this share of the radius
  const share = (4 / 3) * Math.tan(Math.PI / 8)
  const [dx, dy] = [((x1 - x0) / 2) * share, ((y1 - y0) / 2) * share]
  return [
    `${join([x, y1])} m`,
    `${join([x + dx, y1, x1, y + dy, x1, y])} c`,
    `${join([x1, y - dy, x + dx, y0, x, y0])} c`,
    `${join([x - dx, y0, x0, y - dy, x0, y])} c`,
    `${join([x0, y + dy, x - dx, y1, x, y1])} c h`,
  ].join(' ')
}

/** Lines through points, each list by itself. */
function drawPaths(
  paths: readonly number[][],
  { stroke, fill, width, rect }: Pens,
  operator: string,
): Look | undefined {
  const points = paths.flat()
  if (points.length < 4 || points.length % 2 !== 0) return undefined
  const pen = width === 0 ? 1 : width
  const lines = paths.map((path) => {
    const steps: string[] = []
    for (let i = 0; i + 1 < path.length; i += 2) steps.push(`${join(path.slice(i, i + 2))} ${i === 0 ? 'm' : 'l'}`)
    return `${steps.join(' ')} ${operator}`
  })
  const [xs, ys] = [points.filter((_, i) => i % 2 === 0), points.filter((_, i) => i % 2 === 1)]
  const near = [
    Math.min(...xs) - 2 * pen,
    Math.min(...ys) - 2 * pen,
    Math.max(...xs) + 2 * pen,
    Math.max(...ys) + 2 * pen,
  ]
  const isApart = near[2]! < rect[0]! || near[0]! > rect[2]! || near[3]! < rect[1]! || near[1]! > rect[3]!
  return { content: `${stroke} ${fill} ${formatPoints(pen)} w ${lines.join(' ')}`, box: isApart ? near : rect }
}

function drawQuads(
  kind: string,
  quads: readonly number[][],
  annotation: PdfDict,
  { stroke }: Pens,
  resolve: Resolve,
): Look | undefined {
  const draw: Record<string, (quad: number[]) => string> = {
    Highlight: ([left, right, bottom, top]) => `${join([left!, bottom!, right! - left!, top! - bottom!])} re f`,
    Underline: ([left, right, bottom]) => `${join([left!, bottom! + 1.3])} m ${join([right!, bottom! + 1.3])} l S`,
    StrikeOut: ([left, right, bottom, top]) =>
      `${join([left!, (bottom! + top!) / 2])} m ${join([right!, (bottom! + top!) / 2])} l S`,
    Squiggly: drawWaves,
  }
  const drawOne = Object.hasOwn(draw, kind) ? draw[kind] : undefined
  if (drawOne === undefined) return undefined
  const isHighlight = kind === 'Highlight'
  // without a colour pdf.js takes black; with an empty one yellow
  const fill = readColour(annotation, 'C', ['g', 'rg', 'k'], resolve) ?? (annotation.has('C') ? '1 1 0 rg' : '0 g')
  const pen = isHighlight ? fill : `${stroke} [] 0 d ${kind === 'Underline' ? 0.571 : 1} w`
  const spread = kind === 'Squiggly' ? 1 / 3 : 0
  const box = [
    Math.min(...quads.map(([left]) => left!)),
    Math.min(...quads.map(([, , bottom, top]) => bottom! - spread * (top! - bottom!))),
    Math.max(...quads.map(([, right]) => right!)),
    Math.max(...quads.map(([, , , top]) => top!)),
  ]
  const content = `${pen} ${quads.map(drawOne).join(' ')}`
  return isHighlight ? { content, box, blend: 'Multiply' } : { content, box }
}

/** Up and down by a sixth of the height, every two points. */
function drawWaves([left, right, bottom, top]: number[]): string {
  const rise = (top! - bottom!) / 6
  const steps = [`${join([left!, bottom! + rise])} m`]
  const count = Math.min(5000, Math.max(1, Math.ceil((right! - left!) / 2)))
  for (let i = 1; i <= count; i++) steps.push(`${join([left! + 2 * i, bottom! + (i % 2 === 0 ? rise : 0)])} l`)
  return `${steps.join(' ')} S`
}

function readInk(annotation: PdfDict, resolve: Resolve): number[][] {
  const list = resolve(annotation.get('InkList'))
  if (!(list instanceof PdfArray)) return []
  return [...list]
    .map((path) => readNumbers(path, resolve) ?? [])
    .filter((path) => path.length >= 4 && path.length % 2 === 0)
}
