/** Words of several lines: what happened, and below it why. */
export function Lines({ text }: { text: string }) {
  const [first = '', ...others] = text.split('\n')
  if (others.length === 0) return first
  return (
    <>
      <span className="block">{first}</span>
      {others.map((line) => (
        <span key={line} className="block text-sm">
          {line}
        </span>
      ))}
    </>
  )
}
