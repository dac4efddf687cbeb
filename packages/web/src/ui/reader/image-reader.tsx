import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { turnOn, type Turn } from './draw-page.ts'
import { PAGE_GAP, type PageSize } from './page-flow.ts'
import { ReaderBar, ToolGroup } from './reader-bar.tsx'
import { commandOf } from './reader-keys.ts'
import { useArea } from './use-area.ts'
import { stepScale, toScale, type Zoom } from './zoom.ts'
import { ZoomTools } from './zoom-tools.tsx'

export interface ImageReaderProps {
  file: Blob
  name: string
  takesFocus: boolean
  tools?: ReactNode
  onFailure: () => void
}

export function ImageReader({ file, name, takesFocus, tools, onFailure }: ImageReaderProps) {
  const scroller = useRef<HTMLElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const area = useArea(scroller)
  const [natural, setNatural] = useState<PageSize>()
  const [zoom, setZoom] = useState<Zoom>('page')
  const [turn, setTurn] = useState<Turn>(0)
  const isTurned = turn % 180 !== 0
  const size = natural && isTurned ? { width: natural.height, height: natural.width } : natural
  const fitted = size ? toScale(zoom, area, size) : 1
  // A small picture is not blown up until that is asked for.
  const scale = zoom === 'page' ? Math.min(1, fitted) : fitted

  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])

  useEffect(() => {
    if (takesFocus) scroller.current?.focus({ preventScroll: true })
  }, [takesFocus])

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    const command = commandOf(event, false)
    if (command !== 'zoom-in' && command !== 'zoom-out' && command !== 'zoom-width') return
    event.preventDefault()
    setZoom(command === 'zoom-width' ? 'width' : stepScale(scale, command === 'zoom-in' ? 1 : -1))
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 w-full grow flex-col" onKeyDown={handleKey}>
      <ReaderBar>
        <ZoomTools zoom={zoom} scale={scale} onZoom={setZoom} onTurn={() => setTurn(turnOn(turn))} />
        {tools && <ToolGroup className="ms-auto">{tools}</ToolGroup>}
      </ReaderBar>
      <section
        ref={scroller}
        aria-label={name}
        // Focusable, so that it can be scrolled from the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="grid min-w-0 grow overflow-auto -outline-offset-2"
        style={{ padding: PAGE_GAP }}
      >
        <div
          dir="ltr"
          className="relative m-auto"
          style={size && { width: Math.floor(size.width * scale), height: Math.floor(size.height * scale) }}
        >
          <img
            ref={image}
            alt={name}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setNatural({ width, height })
            }
            onError={onFailure}
            className="absolute start-1/2 top-1/2 max-w-none"
            style={
              natural && {
                width: natural.width * scale,
                height: natural.height * scale,
                transform: `translate(-50%, -50%) rotate(${turn}deg)`,
              }
            }
          />
        </div>
      </section>
    </div>
  )
}
