import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Lines } from './lines.tsx'

const BOX = 'flex gap-2.5 rounded-control border px-3.5 py-2.5'

/** What went wrong; read out at once. */
export function ErrorBanner({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={`${BOX} border-seal/35 bg-seal-wash text-seal`}>
      <CircleAlert aria-hidden size={17} className="mt-0.75 shrink-0" />
      <div className="min-w-0 wrap-anywhere">{typeof children === 'string' ? <Lines text={children} /> : children}</div>
    </div>
  )
}

/** What was done. */
export function SuccessBanner({ text }: { text: string }) {
  return (
    <div className={`${BOX} border-ok/35 bg-ok-wash text-ok`}>
      <CircleCheck aria-hidden size={17} className="mt-0.5 shrink-0" />
      {text}
    </div>
  )
}

/** Something to know or to do before going on. */
export function WarnBanner({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`${BOX} flex-wrap border-warn/35 bg-warn-wash text-warn`}>
      <TriangleAlert aria-hidden size={17} className="shrink-0 self-center" />
      <div className="min-w-0 flex-1 basis-52 self-center font-[560]">{children}</div>
      {action}
    </div>
  )
}
