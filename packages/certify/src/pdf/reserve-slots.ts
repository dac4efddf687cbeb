import { PdfArray, PdfDict, PdfNull, type PdfRef } from '@libpdf/core'
import type { Attachment } from './attach-file.ts'
import { nameOf, numberOf, numbersOf, type ObjectStore, registerObject, textOf } from './object-store.ts'

const PROOF_FILE_NAME = 'proof.tlog-proof'
/** Widget flags Print and Locked (ISO 32000-2 table 167). */
const FIELD_FLAGS = 132

export interface Slots {
  /** Entries of the catalog. */
  acroForm: PdfRef
  permissions: PdfDict
  dss: PdfRef
  /** The place for the proof among the attachments. */
  proof: Attachment
}

/**
 * Reserves what the sealing update fills: the transparency-log proof, the certification signature and the document security
 * store are objects that are `null` in revision 0 and referred to from exactly where layout 1 wants it.
 * @param page The first page, which gets the invisible signature field.
 */
export function reserveSlots(store: ObjectStore, page: PdfDict, pageRef: PdfRef): Slots {
  const [proof, signature, dss] = [0, 1, 2].map(() => registerObject(store, PdfNull.instance)) as [
    PdfRef,
    PdfRef,
    PdfRef,
  ]
  const filespec = PdfDict.of({
    Type: nameOf('Filespec'),
    F: textOf(PROOF_FILE_NAME),
    UF: textOf(PROOF_FILE_NAME),
    Desc: textOf('Transparency-log proof'),
    AFRelationship: nameOf('Supplement'),
    EF: PdfDict.of({ F: proof, UF: proof }),
  })
  const field = registerObject(
    store,
    PdfDict.of({
      Type: nameOf('Annot'),
      Subtype: nameOf('Widget'),
      FT: nameOf('Sig'),
      T: textOf('DocumentProof'),
      V: signature,
      P: pageRef,
      F: numberOf(FIELD_FLAGS),
      Rect: numbersOf([0, 0, 0, 0]),
    }),
  )
  page.set('Annots', new PdfArray([field]))
  return {
    acroForm: registerObject(store, PdfDict.of({ Fields: new PdfArray([field]), SigFlags: numberOf(3) })),
    permissions: PdfDict.of({ DocMDP: signature }),
    dss,
    proof: { fileName: PROOF_FILE_NAME, filespec: registerObject(store, filespec) },
  }
}
