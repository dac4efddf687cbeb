import { Link } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { m } from '../paraglide/messages.js'
import { Rosette } from '../ui/rosette.tsx'

/** The product's name with its own rosette; leads home. `wordHidden`: on a phone the figure alone has to do. */
export function Brand({ wordHidden = false }: { wordHidden?: boolean }) {
  return (
    <Link to={PATHS.home} className="flex items-center gap-2.5 rounded-md text-ink no-underline">
      <Rosette seed="Proofdesk" detail="small" className="size-7.5 text-brand [&_path]:stroke-[3.4]" />
      <span className={`font-serif text-lg font-semibold ${wordHidden ? 'max-sm:sr-only' : 'max-[24rem]:sr-only'}`}>
        {m.product_name()}
      </span>
    </Link>
  )
}
