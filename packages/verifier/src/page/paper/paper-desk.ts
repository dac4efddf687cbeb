import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { hasPdfHeader, PDF_HEADER_WITHIN } from '@proofdesk/proof/pdf-header'
import { PAPER_WORDS } from '../../paper-words.ts'
import { make } from '../element.ts'
import { makeFileField } from '../file-fields.ts'
import { makeCamera } from './camera.ts'
import { PICTURE_KINDS } from './picture-size.ts'
import { PictureRefused, readPicture } from './read-picture.ts'

/** Where a printed page is handed in, and how from elsewhere. */
export interface PaperDesk {
  element: HTMLElement
  /** A picture that was let go of on the page. */
  takePicture(picture: Blob): Promise<void>
  /** Once something else is judged than the picture that was chosen. */
  emptyPicture(): void
}

/**
 * The ways in which a printed code is read: camera, picture, text.
 * @param onText Takes what it says.
 * @param onNothing Told when what was handed in says nothing.
 * @param startTaking Told when something is handed in; it returns what takes its place, unless something that came later has it.
 */
export function makePaperDesk(
  onText: (text: string) => void,
  onNothing: () => void,
  startTaking: () => () => boolean,
): PaperDesk {
  /** Of several pictures the last one is told about. */
  let turn = 0
  const note = make('p', { class: 'fault', role: 'alert' })
  const busy = make('p', { class: 'hint', 'aria-live': 'polite' })

  async function takePicture(picture: Blob): Promise<void> {
    const mine = ++turn
    const claimPlace = startTaking()
    note.replaceChildren()
    busy.replaceChildren(PAPER_WORDS.reading)
    // The words are drawn before the reading keeps the page busy.
    await new Promise((resolve) => setTimeout(resolve))
    const outcome = await readCode(picture)
    if (mine === turn) busy.replaceChildren()
    if ('fault' in outcome && mine === turn) note.replaceChildren(outcome.fault)
    if (!claimPlace()) return
    if ('text' in outcome) onText(outcome.text)
    else onNothing()
  }

  const pictureWords = { label: PAPER_WORDS.pictureLabel, hint: PAPER_WORDS.pictureHint, accept: PICTURE_KINDS }
  const pictureField = makeFileField('paper-picture', pictureWords, ([picture]) => picture && void takePicture(picture))
  /** From elsewhere than the picture in the field. */
  function takeText(text: string): void {
    startTaking()()
    pictureField.empty()
    onText(text)
  }
  function takeWrongText(): void {
    startTaking()()
    pictureField.empty()
    onNothing()
  }

  const element = make(
    'section',
    { class: 'sheet', 'aria-labelledby': 'paper-title' },
    make('h2', { id: 'paper-title' }, PAPER_WORDS.title),
    make('p', { class: 'hint' }, PAPER_WORDS.hint),
    makeCamera(takeText),
    pictureField.element,
    busy,
    note,
    makeTextField(takeText, takeWrongText),
  )
  return {
    element,
    takePicture(picture) {
      pictureField.empty()
      return takePicture(picture)
    },
    emptyPicture: pictureField.empty,
  }
}

/** @returns what the code in a picture says, or why there is none, for people */
async function readCode(picture: Blob): Promise<{ text: string } | { fault: string }> {
  try {
    if (await isPdf(picture)) return { fault: PAPER_WORDS.picturePdf }
    const text = await readPicture(picture)
    return text === undefined ? { fault: PAPER_WORDS.pictureEmpty } : { text }
  } catch (error) {
    console.warn(error)
    if (!(error instanceof PictureRefused)) return { fault: PAPER_WORDS.pictureEmpty }
    return { fault: error.reason === 'kind' ? PAPER_WORDS.pictureKind : PAPER_WORDS.pictureLarge }
  }
}

/** By its beginning: what a file is called says little, and a few bytes may stand before the mark. */
async function isPdf(file: Blob): Promise<boolean> {
  return hasPdfHeader(new Uint8Array(await file.slice(0, PDF_HEADER_WITHIN).arrayBuffer()))
}

function makeTextField(onText: (text: string) => void, onWrong: () => void): HTMLElement {
  const note = make('p', { class: 'fault', role: 'alert' })
  const field = make('textarea', {
    id: 'paper-text',
    rows: '3',
    dir: 'ltr',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'characters',
    'aria-describedby': 'paper-text-hint',
  })
  // A paste is judged at once, what is typed when the field is left.
  field.addEventListener('change', () => {
    const isCode = findPaperCode(field.value) !== undefined
    const isWrong = !isCode && field.value.trim() !== ''
    note.replaceChildren(isWrong ? PAPER_WORDS.textWrong : '')
    if (isCode) onText(field.value)
    else if (isWrong) onWrong()
  })
  field.addEventListener('paste', () => setTimeout(() => field.dispatchEvent(new Event('change'))))
  return make(
    'div',
    { class: 'field' },
    make('label', { for: 'paper-text' }, PAPER_WORDS.textLabel),
    field,
    make('p', { id: 'paper-text-hint', class: 'hint' }, PAPER_WORDS.textHint),
    note,
  )
}
