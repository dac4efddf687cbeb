import { drawRosette, ROSETTE_PEN, toSvgPath, type RosetteDetail } from '@proofdesk/proof/rosette'
import { memo } from 'react'

export interface RosetteProps {
  /** For a proof its canonical Proof ID; for decoration any fixed word. */
  seed: string
  /** `small` up to about 40 pixels. */
  detail: RosetteDetail
  /** Size and colour: it is drawn in the text's colour. */
  className?: string
}

/** The guilloche figure of a text. Decoration and recognition, so screen readers skip it. */
export const Rosette = memo(function Rosette({ seed, detail, className }: RosetteProps) {
  return (
    <svg viewBox="0 0 100 100" aria-hidden focusable="false" className={className} fill="none" stroke="currentColor">
      <path d={drawRosette(seed, detail).rings.map(toSvgPath).join('')} strokeWidth={ROSETTE_PEN[detail]} />
    </svg>
  )
})
