import { PdfArray, PdfDict, type PdfRef, PdfString } from '@libpdf/core'
import { createHash } from 'node:crypto'
import { makeStream, nameOf, numberOf, type ObjectStore, registerObject, textOf } from './object-store.ts'

export interface Attachment {
  fileName: string
  /** The file specification, to be listed in /AF and the name tree. */
  filespec: PdfRef
}

/**
 * Embeds a file as associated data (ISO 32000-2 sections 7.11.4 and 14.13).
 * @param modifiedAt PDF date, `D:YYYYMMDDHHmmSSZ`.
 */
export function attachFile(
  store: ObjectStore,
  file: { fileName: string; mediaType: string; description: string; bytes: Uint8Array; modifiedAt: string },
): Attachment {
  // /CheckSum is MD5 by the standard; it guards against damage, not against anybody
  const checksum = createHash('md5').update(file.bytes).digest()
  const embedded = registerObject(
    store,
    makeStream(
      {
        Type: nameOf('EmbeddedFile'),
        Subtype: nameOf(file.mediaType),
        Params: PdfDict.of({
          Size: numberOf(file.bytes.length),
          ModDate: textOf(file.modifiedAt),
          CheckSum: new PdfString(checksum, 'hex'),
        }),
      },
      file.bytes,
    ),
  )
  const filespec = PdfDict.of({
    Type: nameOf('Filespec'),
    F: textOf(file.fileName),
    UF: textOf(file.fileName),
    Desc: textOf(file.description),
    AFRelationship: nameOf('Data'),
    EF: PdfDict.of({ F: embedded, UF: embedded }),
  })
  return { fileName: file.fileName, filespec: registerObject(store, filespec) }
}

/** The name tree of attachments; names in a tree are sorted (ISO 32000-2 section 7.9.6). */
export function makeAttachmentTree(attachments: readonly Attachment[]): PdfDict {
  const sorted = [...attachments].sort((a, b) => Buffer.compare(Buffer.from(a.fileName), Buffer.from(b.fileName)))
  return PdfDict.of({ Names: new PdfArray(sorted.flatMap(({ fileName, filespec }) => [textOf(fileName), filespec])) })
}
