import { CopyButton } from './copy-button.tsx'
import { Rosette } from './rosette.tsx'

export interface RosetteCodeProps {
  /** The printed form; the figure is drawn from it. */
  code: string
  copyLabel: string
}

/** A code people compare by its figure, with a button that copies it. */
export function RosetteCode({ code, copyLabel }: RosetteCodeProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Rosette seed={code} detail="small" className="size-7 shrink-0 text-seal" />
      <span dir="ltr" className="font-mono text-[0.8rem] whitespace-nowrap">
        {code}
      </span>
      <CopyButton text={code} label={copyLabel} />
    </span>
  )
}
