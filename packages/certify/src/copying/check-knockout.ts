import { PdfBool, PdfDict, PdfName, PdfNull, PdfNumber, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type Operator, readOperators } from '../layers/content-operators.ts'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

const PLAIN_MODES = new Set(['Normal', 'Compatible'])
const MAX_CONTENT_BYTES = 16 << 20
/** In one group; what has more is not looked through. */
const MOST_FORMS = 500
/** What makes an image show what lies below it. */
const SEEN_THROUGH = ['SMask', 'Mask', 'ImageMask', 'SMaskInData']

/**
 * In a group that knocks out each thing replaces what lies below it, as thin as it may be (ISO 32000-2 section 11.4.6). The reviewer's
 * reader does so, PDFium and Poppler show what lies below: words under a veil were nothing before the reviewer and black elsewhere.
 * Where all is opaque there is no difference.
 * @throws Disagreement where something that such a form draws may not be opaque.
 */
export function checkKnockout(store: ObjectStore, form: PdfStream, group: PdfDict): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const knocksOut = resolve(group.get('K'))
  // anything but false is true to that reader
  if (knocksOut === undefined || knocksOut instanceof PdfNull || (knocksOut instanceof PdfBool && !knocksOut.value))
    return
  if (!isOpaque(store, form, undefined, new Map()))
    throw new Disagreement('a group that knocks out, with something in it that may not be opaque')
}

/**
 * @param around Resources of what draws a form that has none.
 * @param known Forms that were looked at, by the resources that they draw with.
 */
function isOpaque(
  store: ObjectStore,
  form: PdfStream,
  around: PdfObject | undefined,
  known: Map<PdfStream, Set<PdfObject>>,
): boolean {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const resources = resolve(form.get('Resources') ?? around)
  if (!(resources instanceof PdfDict) || known.size > MOST_FORMS) return false
  if (known.get(form)?.has(resources)) return true
  known.set(form, (known.get(form) ?? new Set()).add(resources))
  const content = decodeContent(store, form, MAX_CONTENT_BYTES)
  if (content === undefined) return false
  const find = (key: string, { operands }: Operator): PdfObject | undefined => {
    const list = resolve(resources.get(key))
    const name = operands.find(({ kind }) => kind === 'name')
    return list instanceof PdfDict && name !== undefined ? resolve(list.get(name.text)) : undefined
  }
  // a name that stands for the same thing each time is looked at once
  const seen = new Set<string>()
  for (const operator of readOperators(content)) {
    const { name, operands } = operator
    if (!['gs', 'Do', 'Tf', 'sh', 'scn', 'SCN'].includes(name)) continue
    const key = `${name} ${operands.map(({ kind, text }) => (kind === 'name' ? text : '')).join(' ')}`
    if (seen.has(key)) continue
    seen.add(key)
    if (name === 'sh' || ((name === 'scn' || name === 'SCN') && operands.some(({ kind }) => kind === 'name')))
      return false
    if (name === 'gs' && !isOpaqueState(find('ExtGState', operator), resolve)) return false
    if (name === 'Tf' && !isOutlined(find('Font', operator))) return false
    if (name === 'Do') {
      const drawn = find('XObject', operator)
      if (!(drawn instanceof PdfStream)) return false
      const kind = resolve(drawn.get('Subtype'))
      const isImage = kind instanceof PdfName && kind.value === 'Image'
      if (isImage ? SEEN_THROUGH.some((entry) => drawn.has(entry)) : !isOpaque(store, drawn, resources, known))
        return false
    }
  }
  return true
}

const isOutlined = (font: PdfObject | undefined): boolean => font instanceof PdfDict && !font.has('CharProcs')

function isOpaqueState(state: PdfObject | undefined, resolve: Resolve): boolean {
  if (!(state instanceof PdfDict)) return false
  const isFull = ['ca', 'CA'].every((key) => {
    const opacity = resolve(state.get(key))
    return opacity === undefined || (opacity instanceof PdfNumber && opacity.value >= 1)
  })
  const [mode, mask] = [resolve(state.get('BM')), resolve(state.get('SMask'))]
  const isPlain = mode === undefined || (mode instanceof PdfName && PLAIN_MODES.has(mode.value))
  const isUnmasked = mask === undefined || (mask instanceof PdfName && mask.value === 'None')
  return isFull && isPlain && isUnmasked && !state.has('Font')
}
