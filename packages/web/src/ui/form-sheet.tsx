import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import { Rosette } from './rosette.tsx'

export interface FormSheetProps {
  title: string
  lead?: ReactNode
  /** Room for two columns of fields. */
  wide?: boolean
  children: ReactNode
  /** Below the sheet, e.g. the way to another form. */
  aside?: ReactNode
}

/** One form in the middle of the screen, on its own sheet with the figure in the corner. */
export function FormSheet({ title, lead, wide = false, children, aside }: FormSheetProps) {
  return (
    <div className={`mx-auto mt-2 sm:mt-8 ${wide ? 'max-w-180' : 'max-w-110'}`}>
      <div className="sheet relative overflow-hidden p-6 shadow-sheet sm:p-8">
        <Rosette
          seed="Proofdesk"
          detail="large"
          className="absolute -end-12 -top-12 size-32 text-brand opacity-20 sm:-end-14 sm:-top-14 sm:size-44 dark:opacity-30"
        />
        <div className="relative">
          <PageHeading title={title} lead={lead} className="max-w-[76%]" />
          <div className="mt-7">{children}</div>
        </div>
      </div>
      {aside && <p className="mt-5 text-center text-ink-2">{aside}</p>}
    </div>
  )
}
