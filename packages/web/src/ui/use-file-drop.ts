import { useEffect, useState, type DragEvent } from 'react'

export interface DroppedFiles {
  files: File[]
  /** Names of what was left out: a folder is no file. */
  folders: string[]
}

/** Takes files dropped on one element; anything else that is dragged (text, links) passes by. */
export function useFileDrop(onDrop: (dropped: DroppedFiles) => void) {
  const [isOver, setIsOver] = useState(false)
  useEffect(guardPage, [])

  function handleOver(event: DragEvent) {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setIsOver(true)
  }

  function handleLeave({ currentTarget, relatedTarget }: DragEvent) {
    // Between the parts of the element it is left only to be entered again.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
  }

  function handleDrop(event: DragEvent) {
    setIsOver(false)
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    onDrop(readDropped(event.dataTransfer))
  }

  const target = { onDragEnter: handleOver, onDragOver: handleOver, onDragLeave: handleLeave, onDrop: handleDrop }
  return { isOver, target }
}

/** A file dropped beside the element would open in place of the page, and with it all that was chosen would be gone. */
function guardPage(): () => void {
  const keepPage = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', keepPage)
  addEventListener('drop', keepPage)
  return () => {
    removeEventListener('dragover', keepPage)
    removeEventListener('drop', keepPage)
  }
}

function carriesFiles({ types }: DataTransfer): boolean {
  return types.includes('Files')
}

function readDropped({ items, files }: DataTransfer): DroppedFiles {
  const dropped: DroppedFiles = { files: [], folders: [] }
  // The list of items alone knows folders; where there is none, everything counts as a file.
  if (!items?.length) return { ...dropped, files: [...files] }
  for (const item of items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry?.()
    const file = item.getAsFile()
    if (entry?.isDirectory) dropped.folders.push(entry.name)
    else if (file) dropped.files.push(file)
  }
  return dropped
}
