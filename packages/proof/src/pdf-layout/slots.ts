import { refuse } from '../errors.ts'
import {
  foldText,
  isName,
  isReference,
  mustArray,
  mustDictionary,
  mustReference,
  type PdfDictionary,
  type PdfValue,
} from './objects.ts'

/** Object numbers of the places that revision 0 reserves and of what holds them. */
export interface Slots {
  acroForm: number
  /** The invisible signature field. */
  field: number
  /** Null in revision 0; becomes the embedded file `proof.tlog-proof`. */
  proofSlot: number
  /** Null in revision 0; becomes the signature dictionary. */
  signatureSlot: number
  /** Null in revision 0; kept for revocation data (document security store). */
  dssSlot: number
}

/** Every object of revision 0 as the scan found it. */
export interface ScannedObjects {
  /** Object count and 1, object 0 included. */
  size: number
  /** How often each object number is referred to, trailer included. */
  references: ReadonlyMap<number, number>
  /** Numbers of the objects that are `null`. */
  nulls: ReadonlySet<number>
  /** The value of an object, or of a direct value itself. */
  resolve: (value: PdfValue | undefined) => PdfValue | undefined
}

export const PROOF_FILE_NAME = 'proof.tlog-proof'

/** No OpenAction, AA, XFA holder or name tree of scripts: a certified document does nothing by itself. */
const CATALOG_KEYS = ['Type', 'Pages', 'Names', 'AF', 'AcroForm', 'Perms', 'DSS', 'OCProperties', 'Lang']
const QUIET_CATALOG_KEYS = ['ViewerPreferences', 'Metadata', 'PageLabels', 'MarkInfo']
const FIELD_KEYS = ['Type', 'Subtype', 'FT', 'T', 'V', 'P', 'F', 'Rect']
const FILESPEC_KEYS = ['Type', 'F', 'UF', 'Desc', 'AFRelationship', 'EF']

/** Revision 0 has two. */
const MAX_ATTACHMENTS = 200
/** In bytes: a file name of 255 characters takes less. What is compared takes time that grows faster than it. */
const MAX_NAME_LENGTH = 1024

/** Widget flags Print and Locked. ISO 32000-2 table 167. */
const FIELD_FLAGS = 132

/**
 * Finds the reserved places, and makes sure that nothing else in revision 0 points at what the sealing update will define:
 * this is what keeps hidden content from appearing with the seal.
 * @param catalogNumber Object number from the trailer.
 * @throws ProofError `rev0_slots`, `rev0_shadow`.
 * @see ISO 32000-2 sections 7.7.2 (catalog), 12.7.5.5 (signature fields), 12.8.6 (permissions), 7.11.4 (embedded files)
 */
export function findSlots(objects: ScannedObjects, catalogNumber: number): Slots {
  const catalogKeys = [...CATALOG_KEYS, ...QUIET_CATALOG_KEYS]
  const catalog = mustHold(objects, { kind: 'reference', object: catalogNumber }, catalogKeys, 'catalog')
  const { acroForm, field, signatureSlot } = findSignatureField(objects, catalog)
  const dssSlot = mustReference(catalog.get('DSS'), 'rev0_slots', 'catalog /DSS')
  const { proofSlot, proofReferences } = findProofAttachment(objects, catalog)
  const due: [slot: number, references: number][] = [
    [signatureSlot, 2],
    [proofSlot, proofReferences],
    [dssSlot, 1],
  ]
  checkNothingElsePointsAt(objects, due)
  if (objects.references.get(acroForm) !== 1) refuse('rev0_shadow', 'the AcroForm is referred to from elsewhere')
  return { acroForm, field, proofSlot, signatureSlot, dssSlot }
}

function findSignatureField(objects: ScannedObjects, catalog: PdfDictionary) {
  const acroForm = mustReference(catalog.get('AcroForm'), 'rev0_slots', 'catalog /AcroForm')
  const form = mustHold(objects, catalog.get('AcroForm'), ['Fields', 'SigFlags'], 'AcroForm')
  const [only, ...others] = mustArray(objects.resolve(form.get('Fields')), 'rev0_slots', 'AcroForm /Fields')
  if (others.length > 0 || form.get('SigFlags') !== 3) refuse('rev0_slots', 'AcroForm')
  const field = mustReference(only, 'rev0_slots', 'signature field')
  const widget = mustHold(objects, only, FIELD_KEYS, 'signature field')
  const rect = mustArray(widget.get('Rect'), 'rev0_slots', 'rectangle of the signature field')
  const isInvisible = rect.length === 4 && rect.every((side) => side === 0) && widget.get('F') === FIELD_FLAGS
  if (!isInvisible || !isName(widget.get('FT'), 'Sig')) refuse('rev0_slots', 'signature field')
  const signatureSlot = mustReference(widget.get('V'), 'rev0_slots', 'value of the signature field')
  const permissions = mustHold(objects, catalog.get('Perms'), ['DocMDP'], 'Perms')
  if (mustReference(permissions.get('DocMDP'), 'rev0_slots', 'Perms /DocMDP') !== signatureSlot) {
    refuse('rev0_slots', 'Perms /DocMDP is another signature than the field holds')
  }
  return { acroForm, field, signatureSlot }
}

function findProofAttachment(objects: ScannedObjects, catalog: PdfDictionary) {
  const nameTrees = mustHold(objects, catalog.get('Names'), ['EmbeddedFiles'], 'Names')
  const tree = mustHold(objects, nameTrees.get('EmbeddedFiles'), ['Names'], 'EmbeddedFiles')
  const attachments = pairUp(mustArray(objects.resolve(tree.get('Names')), 'rev0_slots', 'EmbeddedFiles /Names'))
  if (attachments.length > MAX_ATTACHMENTS) refuse('rev0_slots', 'too many attachments')
  const called = attachments.filter(([key, filespec]) => isCalledLikeTheProof(objects, key, filespec))
  const [key, filespec] = called[0] ?? refuse('rev0_slots', 'no place for the proof')
  if (called.length > 1) refuse('rev0_slots', `a second attachment called ${PROOF_FILE_NAME}`)
  const file = mustHold(objects, filespec, FILESPEC_KEYS, 'file specification of the proof')
  const embedded = mustHold(objects, file.get('EF'), ['F', 'UF'], 'EF of the proof')
  const proofSlot = mustReference(embedded.get('F'), 'rev0_slots', 'embedded file of the proof')
  const unicode = embedded.get('UF')
  if (unicode !== undefined && mustReference(unicode, 'rev0_slots', 'embedded file of the proof') !== proofSlot) {
    refuse('rev0_slots', 'two embedded files for the proof')
  }
  const isAssociated = mustArray(objects.resolve(catalog.get('AF')), 'rev0_slots', 'catalog /AF').some(
    (value) => isReference(value) && isReference(filespec) && value.object === filespec.object,
  )
  if (key !== PROOF_FILE_NAME || file.get('F') !== PROOF_FILE_NAME || !isAssociated) {
    refuse('rev0_slots', 'file specification of the proof')
  }
  return { proofSlot, proofReferences: unicode === undefined ? 1 : 2 }
}

function pairUp(names: PdfValue[]): [key: PdfValue, value: PdfValue][] {
  if (names.length % 2 !== 0) refuse('rev0_slots', 'EmbeddedFiles /Names')
  return Array.from({ length: names.length / 2 }, (_, i) => [names[2 * i] ?? null, names[2 * i + 1] ?? null])
}

/** Readers show one of several names; none of another attachment's may look like the proof's. */
function isCalledLikeTheProof(objects: ScannedObjects, key: PdfValue, filespec: PdfValue): boolean {
  const file = objects.resolve(filespec)
  const names =
    file instanceof Map ? ['F', 'UF', 'DOS', 'Mac', 'Unix'].map((name) => objects.resolve(file.get(name))) : []
  return [key, file, ...names].some((name) => foldName(name) === PROOF_FILE_NAME)
}

function foldName(name: PdfValue | undefined): string {
  if (typeof name === 'string' && name.length > MAX_NAME_LENGTH) refuse('rev0_slots', 'long name of an attachment')
  return foldText(name)
}

function checkNothingElsePointsAt(objects: ScannedObjects, due: [slot: number, references: number][]): void {
  if (new Set(due.map(([slot]) => slot)).size !== due.length) refuse('rev0_slots', 'two slots are one object')
  for (const [slot, references] of due) {
    if (!objects.nulls.has(slot)) refuse('rev0_slots', `slot ${slot} is not null in revision 0`)
    const found = objects.references.get(slot)
    if (found !== references) refuse('rev0_shadow', `slot ${slot} is referred to ${found} times, ${references} due`)
  }
  for (const object of objects.references.keys()) {
    if (object <= 0 || object >= objects.size) refuse('rev0_shadow', `reference to undefined object ${object}`)
  }
}

function mustHold(
  objects: ScannedObjects,
  value: PdfValue | undefined,
  keys: readonly string[],
  what: string,
): PdfDictionary {
  return mustDictionary(objects.resolve(value), keys, 'rev0_slots', what)
}
