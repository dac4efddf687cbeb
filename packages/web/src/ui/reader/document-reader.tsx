import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { LoadingArea } from '../spinner.tsx'
import { ImageReader } from './image-reader.tsx'
import { openPdf, PdfError, type OpenPdf, type PdfFault } from './open-pdf.ts'
import { PdfReader, type PagePlace } from './pdf-reader.tsx'
import './reader.css'

export interface DocumentReaderProps {
  /** Its type was checked against what the server stores. */
  file: Blob
  name: string
  takesFocus: boolean
  /** Stand at the end of the row of tools, and also where the file cannot be shown. */
  tools?: ReactNode
  /** In a PDF: see `PdfReader`. */
  place?: PagePlace | undefined
  onRead?: ((index: number) => void) | undefined
}

/** Shows a PDF or a picture in the page. Fills the room it is given. Changes its document by a new key. */
export default function DocumentReader({ file, place, onRead, ...props }: DocumentReaderProps) {
  const [fault, setFault] = useState<PdfFault>()
  const giveUp = useCallback(() => setFault('unreadable'), [])
  const isPdf = file.type === 'application/pdf'
  const open = useOpenPdf(isPdf ? file : undefined, setFault)
  if (fault) return <NotShown fault={fault} tools={props.tools} />
  if (!isPdf) return <ImageReader file={file} onFailure={giveUp} {...props} />
  if (open) return <PdfReader pdf={open.pdf} onFailure={giveUp} place={place} onRead={onRead} {...props} />
  return <LoadingArea />
}

function NotShown({ fault, tools }: { fault: PdfFault; tools: ReactNode }) {
  return (
    <div role="alert" className="m-auto grid max-w-lg justify-items-center gap-4 p-6 text-center">
      <p className="font-serif text-lg font-semibold">{m.reader_not_shown()}</p>
      <p className="text-ink-2">{fault === 'password' ? m.reader_password() : m.reader_unreadable()}</p>
      <div className="flex gap-2">{tools}</div>
    </div>
  )
}

function useOpenPdf(file: Blob | undefined, onFault: (fault: PdfFault) => void): OpenPdf | undefined {
  const [open, setOpen] = useState<OpenPdf>()
  useEffect(() => {
    if (!file) return
    const leave = new AbortController()
    let opened: OpenPdf | undefined
    async function load(blob: Blob) {
      opened = await openPdf(new Uint8Array(await blob.arrayBuffer()), leave.signal)
      if (leave.signal.aborted) opened.close()
      else setOpen(opened)
    }
    load(file).catch((error: unknown) => {
      if (!leave.signal.aborted) onFault(error instanceof PdfError ? error.fault : 'unreadable')
    })
    return () => {
      leave.abort(new DOMException('The reader was closed.', 'AbortError'))
      opened?.close()
      setOpen(undefined)
    }
  }, [file, onFault])
  return open
}
