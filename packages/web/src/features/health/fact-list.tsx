import type { ReactNode } from 'react'

/** Facts under the words of a part. @param title Absent where those words name them. */
export function FactList({ title, facts }: { title?: string; facts: { key: string; words: ReactNode }[] }) {
  return (
    <>
      {title !== undefined && <span className="mt-3 block text-sm font-[560]">{title}</span>}
      <ul className="mt-1 list-disc space-y-0.5 ps-5 text-sm text-ink-2">
        {facts.map(({ key, words }) => (
          <li key={key} className="wrap-anywhere">
            {words}
          </li>
        ))}
      </ul>
    </>
  )
}
