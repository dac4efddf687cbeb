import type { LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { announce } from '../../ui/announcer.tsx'

export interface Verdict {
  Icon: LucideIcon
  colour: string
  title: string
  text: string
}

/** The verdict, whose sentence alone is read out when it comes; what it rests on stands below. */
export function VerdictHeading({ verdict: { Icon, colour, title, text } }: { verdict: Verdict }) {
  useEffect(() => {
    announce(text)
    return () => announce('')
  }, [text])
  return (
    <>
      <h2 className="flex gap-2.5 font-serif text-2xl leading-tight font-semibold">
        <Icon aria-hidden size={26} className={`mt-0.5 shrink-0 ${colour}`} />
        {title}
      </h2>
      <p className="mt-1.5 wrap-anywhere text-ink-2">{text}</p>
    </>
  )
}
