import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import { Rosette } from './rosette.tsx'

export interface TextSection {
  title: string
  paragraphs: string[]
  /** Below the text, each with what it is. */
  terms?: { term: string; text: string }[]
  /** Below the text, e.g. where to go next. */
  action?: ReactNode
}

/** A screen to be read: a heading, one sentence, and sections with room to breathe. */
export function TextPage({ title, lead, sections }: { title: string; lead: string; sections: TextSection[] }) {
  return (
    <article className="sheet relative mx-auto max-w-3xl overflow-hidden px-6 py-9 shadow-sheet sm:px-12 sm:py-12">
      <Rosette
        seed="Proofdesk"
        detail="large"
        className="absolute -end-14 -top-14 size-36 text-brand sm:-end-20 sm:-top-20 sm:size-56 opacity-20 dark:opacity-30"
      />
      <PageHeading title={title} lead={lead} className="relative max-w-[78%]" />
      {sections.map((section) => (
        <section key={section.title} className="mt-8">
          <h2 className="font-serif text-xl font-semibold">{section.title}</h2>
          {section.paragraphs.map((paragraph) => (
            <p key={paragraph} className="mt-2.5 max-w-prose text-ink-2">
              {paragraph}
            </p>
          ))}
          {section.terms && (
            <dl className="mt-4 grid gap-x-6 gap-y-0.5 sm:grid-cols-[auto_1fr] sm:gap-y-2.5">
              {section.terms.map(({ term, text }) => (
                <div key={term} className="contents">
                  <dt className="font-mono text-sm leading-6">{term}</dt>
                  <dd className="max-w-prose text-ink-2 max-sm:mb-3">{text}</dd>
                </div>
              ))}
            </dl>
          )}
          {section.action && <div className="mt-4">{section.action}</div>}
        </section>
      ))}
    </article>
  )
}
