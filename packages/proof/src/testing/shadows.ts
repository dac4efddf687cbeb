import { editBody, OBJECTS, writeStream, type DraftDocument } from './write-revision0.ts'

const o = OBJECTS
const editTrailer = (from: RegExp, to: string) => (draft: DraftDocument) => {
  draft.trailer = draft.trailer.replace(from, to)
}

/** What must not be in revision 0, and how it is refused: documents that could show other content once they are sealed. */
export const SHADOWS: [name: string, code: string, edit: (draft: DraftDocument) => void][] = [
  [
    'a page shows the proof slot',
    'rev0_shadow',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents [${o.content} 0 R ${o.proofSlot} 0 R]`),
  ],
  [
    'a page shows an undefined object',
    'rev0_shadow',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents [${o.content} 0 R 99 0 R]`),
  ],
  ['a page shows object 0', 'rev0_shadow', editBody(o.page, `/Contents ${o.content} 0 R`, '/Contents 0 0 R')],
  [
    'a reference of generation 1',
    'rev0_layout',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents ${o.proofSlot} 1 R`),
  ],
  [
    'annotations are the DSS slot',
    'rev0_shadow',
    editBody(o.page, `/Annots [${o.field} 0 R]`, `/Annots ${o.dssSlot} 0 R`),
  ],
  [
    'a page refers to the signature slot',
    'rev0_shadow',
    editBody(o.page, '/Type /Page', `/Type /Page /Metadata ${o.signatureSlot} 0 R`),
  ],
  [
    'the trailer refers to a slot',
    'rev0_shadow',
    (draft) => void (draft.trailer = draft.trailer.replace(`/Info ${o.info}`, `/Info ${o.proofSlot}`)),
  ],
  ['a slot is not null', 'rev0_slots', (draft) => void (draft.bodies[o.dssSlot] = '<<>>')],
  ['the proof slot is a stream', 'rev0_slots', (draft) => void (draft.bodies[o.proofSlot] = writeStream('x'))],
  ['two slots are one object', 'rev0_slots', editBody(o.catalog, `/DSS ${o.dssSlot}`, `/DSS ${o.proofSlot}`)],
  [
    'the AcroForm is shared with a page',
    'rev0_shadow',
    editBody(o.page, '/Type /Page', `/Type /Page /PieceInfo ${o.acroForm} 0 R`),
  ],
  ['a second field', 'rev0_slots', editBody(o.acroForm, '0 R]', `0 R ${o.page} 0 R]`)],
  ['XFA', 'rev0_slots', editBody(o.acroForm, '/SigFlags', '/XFA (x) /SigFlags')],
  ['NeedAppearances', 'rev0_slots', editBody(o.acroForm, '/SigFlags', '/NeedAppearances true /SigFlags')],
  ['SigFlags that allow changes', 'rev0_slots', editBody(o.acroForm, 'Flags 3', 'Flags 1')],
  ['an open action', 'rev0_slots', editBody(o.catalog, '/Lang', '/OpenAction <</S /JavaScript /JS (x)>> /Lang')],
  [
    'an open action with an escaped name',
    'rev0_slots',
    editBody(o.catalog, '/Lang', '/Open#41ction <</S /JavaScript /JS (x)>> /Lang'),
  ],
  ['additional actions', 'rev0_slots', editBody(o.catalog, '/Lang', '/AA <<>> /Lang')],
  [
    'a name tree of scripts',
    'rev0_slots',
    editBody(o.catalog, '/EmbeddedFiles', '/JavaScript <</Names []>> /EmbeddedFiles'),
  ],
  ['a visible signature field', 'rev0_slots', editBody(o.field, '[0 0 0 0]', '[0 0 9 9]')],
  ['a signature field with an appearance', 'rev0_slots', editBody(o.field, '/F 132', '/AP <<>> /F 132')],
  ['a field that may be edited', 'rev0_slots', editBody(o.field, '/F 132', '/F 4')],
  ['a text field', 'rev0_slots', editBody(o.field, '/FT /Sig', '/FT /Tx')],
  ['another DocMDP signature', 'rev0_slots', editBody(o.catalog, `/DocMDP ${o.signatureSlot}`, `/DocMDP ${o.info}`)],
  ['usage rights beside DocMDP', 'rev0_slots', editBody(o.catalog, '/DocMDP', '/UR3 null /DocMDP')],
  ['no DSS slot', 'rev0_slots', editBody(o.catalog, `/DSS ${o.dssSlot} 0 R`, '')],
  ['no attachment for the proof', 'rev0_slots', editBody(o.nameTree, ` (proof.tlog-proof) ${o.proofSpec} 0 R`, '')],
  [
    'a second reference to a proof that is embedded under one name',
    'rev0_shadow',
    editBody(o.proofSpec, /\/Desc.*>>/, `/Desc ${o.proofSlot} 0 R /EF <</F ${o.proofSlot} 0 R>>>>`),
  ],
  ['a trailer whose catalog is object 0', 'rev0_slots', editTrailer(/Root 1/, 'Root 0')],
  ['a trailer whose catalog is missing', 'rev0_slots', editTrailer(/Root 1/, 'Root 99')],
  ['no proof slot', 'rev0_slots', editBody(o.nameTree, '(proof.tlog-proof)', '(other.txt)')],
  ['the proof is not an associated file', 'rev0_slots', editBody(o.catalog, ` ${o.proofSpec} 0 R]`, ']')],
  ['the proof has a preview', 'rev0_slots', editBody(o.proofSpec, '/Desc', '/Thumb null /Desc')],
  ['a key of the proof with other case', 'rev0_slots', editBody(o.nameTree, '(proof', '(Proof')],
  [
    'a second attachment with the name of the proof',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/UF (proof.tlog-proof)'),
  ],
  [
    'the same in UTF-16',
    'rev0_slots',
    editBody(
      o.manifestSpec,
      '/UF (manifest.json)',
      `/UF <FEFF${Buffer.from('Proof.tlog-proof', 'utf16le').swap16().toString('hex')}>`,
    ),
  ],
  [
    'the same behind a language escape',
    'rev0_slots',
    editBody(
      o.manifestSpec,
      '/UF (manifest.json)',
      `/UF <FEFF001B0065006E001B${Buffer.from('proof.tlog-proof', 'utf16le').swap16().toString('hex')}>`,
    ),
  ],
  [
    'the same over a continued line',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/UF (proof.\\\r\ntlog\\055proof)'),
  ],
  [
    'the same under a name for other systems',
    'rev0_slots',
    editBody(o.manifestSpec, '/UF (manifest.json)', '/DOS (PROOF.TLOG-PROOF)'),
  ],
  ['name tree with a key too many', 'rev0_slots', editBody(o.nameTree, ']', '(x)]')],
  ['a key twice', 'rev0_layout', editBody(o.page, '/Type /Page', `/Type /Page /Contents ${o.manifest} 0 R`)],
  [
    'a key twice, once escaped',
    'rev0_layout',
    editBody(o.page, '/Type /Page', `/Type /Page /C#6fntents ${o.manifest} 0 R`),
  ],
  ['a comment', 'rev0_layout', editBody(o.page, '/Type /Page', '%\n/Type /Page')],
  [
    'a comment inside a reference',
    'rev0_layout',
    editBody(o.page, `/Contents ${o.content} 0 R`, `/Contents ${o.proofSlot} %\n0 R`),
  ],
  ['a stream longer than it says', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length 3')],
  ['a stream shorter than it says', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length 4000')],
  ['an indirect stream length', 'rev0_layout', editBody(o.content, /\/Length \d+/, `/Length ${o.info} 0 R`)],
  ['a negative stream length', 'rev0_layout', editBody(o.content, /\/Length \d+/, '/Length -5')],
  [
    'an object stream',
    'rev0_layout',
    (draft) => void draft.bodies.push(writeStream('', '/Type /ObjStm /N 0 /First 0')),
  ],
  ['/Prev in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /Prev 15')],
  ['/XRefStm in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /XRefStm 15')],
  ['/Encrypt in the trailer', 'rev0_layout', (draft) => void (draft.trailer += ' /Encrypt <<>>')],
  ['no file identifier', 'rev0_layout', (draft) => void (draft.trailer = draft.trailer.replace(/\/ID.*/, ''))],
  ['a word that is no object', 'rev0_layout', editBody(o.info, 'true', 'truth')],
  ['a string without end', 'rev0_layout', editBody(o.info, '(plain)', '(plain')],
  [
    'a dictionary in a dictionary 600 deep',
    'rev0_layout',
    editBody(o.info, 'true', '[<</A'.repeat(300) + ' 1 ' + '>>]'.repeat(300)),
  ],
  [
    'a second attachment with the name of the proof, after it',
    'rev0_slots',
    ({ bodies }) => {
      bodies[o.nameTree] = `<</Names [(proof.tlog-proof) ${o.proofSpec} 0 R (z.txt) ${o.manifestSpec} 0 R]>>`
      bodies[o.manifestSpec] = bodies[o.manifestSpec]!.replace('/UF (manifest.json)', '/UF (proof.tlog-proof)')
    },
  ],
  [
    'two embedded files for the proof',
    'rev0_slots',
    editBody(o.proofSpec, `/UF ${o.proofSlot} 0 R`, `/UF ${o.manifest} 0 R`),
  ],
]
