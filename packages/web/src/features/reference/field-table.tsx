import { m } from '../../paraglide/messages.js'
import type { FieldRow } from './fields.ts'
import { Marked } from './marked.tsx'

export interface FieldTableProps {
  caption: string
  rows: FieldRow[]
  /** Nothing is said of fields that are always there. */
  allPresent?: boolean
}

/** Fields with their types; on a phone each becomes a block of its own. */
export function FieldTable({ caption, rows, allPresent = false }: FieldTableProps) {
  return (
    <table className="w-full border-collapse text-start text-[0.93rem] max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-xs text-ink-2">
          <th scope="col" className="py-1.5 pe-4 text-start font-semibold">
            {m.api_field()}
          </th>
          <th scope="col" className="py-1.5 pe-4 text-start font-semibold">
            {m.api_type()}
          </th>
          <th scope="col" className="py-1.5 text-start font-semibold">
            {m.api_meaning()}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map(({ name, type, isRequired, description }) => (
          <tr key={name} className="border-b border-line align-baseline last:border-b-0 max-sm:block max-sm:py-2">
            <th scope="row" className="py-1.5 pe-4 text-start font-normal max-sm:block max-sm:py-0">
              {/* Beside the meaning no name is broken within: a column is as wide as its longest. */}
              <code className="font-mono text-[0.82rem] font-semibold wrap-break-word max-sm:wrap-anywhere">
                {name}
              </code>
              {isRequired && !allPresent && <span className="ms-2 text-xs text-seal">{m.api_required()}</span>}
            </th>
            <td className="py-1.5 pe-4 font-mono text-[0.82rem] wrap-break-word text-ink-2 max-sm:wrap-anywhere max-sm:block max-sm:py-0">
              {type}
            </td>
            <td className="py-1.5 wrap-anywhere text-ink-2 max-sm:block max-sm:py-0 max-sm:empty:hidden">
              <Marked text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
