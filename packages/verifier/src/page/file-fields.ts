import type { NamedFile } from '../judge-document.ts'
import { WORDS } from '../words.ts'
import { make } from './element.ts'

export interface FileField {
  element: HTMLElement
  /** For a file that no longer counts: the field would go on naming it. */
  empty(): void
}

/** A labelled field for one file. */
export function makeFileField(
  id: string,
  words: { label: string; hint: string; accept: string },
  onFiles: TakeFiles,
): FileField {
  const input = make('input', { type: 'file', id, accept: words.accept, 'aria-describedby': `${id}-hint` })
  input.addEventListener('change', () => {
    onFiles([...(input.files ?? [])])
  })
  const empty = () => void (input.value = '')
  // The same file chosen again is told only by a field that had none.
  input.addEventListener('click', empty)
  const hint = make('p', { id: `${id}-hint`, class: 'hint' }, words.hint)
  return { element: make('div', { class: 'field' }, make('label', { for: id }, words.label), input, hint), empty }
}

export type TakeFiles = (files: File[]) => void

/** Files may be let go of anywhere on the page. */
export function takeDrops(target: HTMLElement, onFiles: TakeFiles): void {
  const note = make('p', { class: 'drop-note', hidden: '' }, WORDS.dropNow)
  target.append(note)
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    note.hidden = false
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) note.hidden = true
  })
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    note.hidden = true
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length > 0) onFiles(files)
  })
}

/** @throws what the browser throws when it cannot read it, such as a folder. */
export async function readFile(file: File): Promise<NamedFile> {
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}
