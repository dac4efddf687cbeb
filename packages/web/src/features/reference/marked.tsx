/** The document marks code with backticks. */
export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    // Parts never move.
    // oxlint-disable-next-line react/no-array-index-key
    at % 2 === 1 ? (
      <code key={at} className="font-mono text-[0.9em] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
