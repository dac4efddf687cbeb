import { MoveHorizontal, RotateCw, Scan, ZoomIn, ZoomOut } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Tool, ToolGroup } from './reader-bar.tsx'
import { stepScale, ZOOM_MAX, ZOOM_MIN, type Zoom } from './zoom.ts'

export interface ZoomToolsProps {
  zoom: Zoom
  /** What `zoom` comes to now. */
  scale: number
  onZoom: (zoom: Zoom) => void
  onTurn: () => void
}

export function ZoomTools({ zoom, scale, onZoom, onTurn }: ZoomToolsProps) {
  return (
    <ToolGroup>
      <Tool
        icon={ZoomOut}
        label={m.reader_zoom_out()}
        keys="-"
        disabled={scale <= ZOOM_MIN}
        onClick={() => onZoom(stepScale(scale, -1))}
      />
      <output aria-label={m.reader_zoom()} className="min-w-11 text-center text-sm tabular-nums">
        {m.reader_percent({ percent: Math.round(scale * 100) })}
      </output>
      <Tool
        icon={ZoomIn}
        label={m.reader_zoom_in()}
        keys="+"
        disabled={scale >= ZOOM_MAX}
        onClick={() => onZoom(stepScale(scale, 1))}
      />
      <Tool
        icon={MoveHorizontal}
        label={m.reader_fit_width()}
        keys="0"
        pressed={zoom === 'width'}
        onClick={() => onZoom('width')}
      />
      <Tool icon={Scan} label={m.reader_fit_page()} pressed={zoom === 'page'} onClick={() => onZoom('page')} />
      <Tool icon={RotateCw} label={m.reader_turn()} onClick={onTurn} />
    </ToolGroup>
  )
}
