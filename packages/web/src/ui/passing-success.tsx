import { SuccessBanner } from './banner.tsx'

/** A success banner over the foot of the screen, so that nothing moves when it comes and goes. */
export function PassingSuccess({ text, onGone }: { text: string | undefined; onGone: () => void }) {
  if (text === undefined) return null
  return (
    <div className="fixed inset-x-4 bottom-5 z-30 mx-auto w-fit lg:start-54 rounded-control shadow-pop">
      <SuccessBanner text={text} onGone={onGone} />
    </div>
  )
}
