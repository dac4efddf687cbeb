import assert from 'node:assert/strict'
import test from 'node:test'
import { PdfDict } from '@libpdf/core'
import { createObjectStore, makeStream, nameOf, registerObject, resolveObject } from '../pdf/object-store.ts'
import { blendAlone } from './blend-alone.ts'

test('pages whose forms draw each other in a circle stand alone as groups where one of the forms blends', () => {
  const store = createObjectStore()
  const [first, second, plain] = [new PdfDict(), new PdfDict(), new PdfDict()]
  const draw = (resources: PdfDict) => registerObject(store, makeStream({ Resources: resources }, ''))
  const blending = PdfDict.of({ ExtGState: PdfDict.of({ G: PdfDict.of({ BM: nameOf('Difference') }) }) })
  first.set('XObject', PdfDict.of({ Second: draw(second), Blending: draw(blending) }))
  second.set('XObject', PdfDict.of({ First: draw(first) }))
  plain.set('ExtGState', PdfDict.of({ G: PdfDict.of({ BM: nameOf('Multiply') }) }))
  const pages = [first, second, plain].map(draw)
  blendAlone(store, pages)
  const standAlone = pages.map((ref) => (resolveObject(store, ref) as PdfDict).has('Group'))
  assert.deepEqual(standAlone, [true, true, false])
})
