/** `share` from 0 to 1. */
export function ProgressBar(props: { label: string; labelHidden?: boolean; share: number }) {
  const { label, labelHidden = false, share } = props
  const percent = Math.round(share * 100)
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between text-sm text-ink-2">
        <span className={labelHidden ? 'sr-only' : undefined} aria-hidden={labelHidden || undefined}>
          {label}
        </span>
        <span className="font-mono tabular-nums">{percent} %</span>
      </div>
      <progress
        aria-label={label}
        max={100}
        value={percent}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[width]"
      />
    </div>
  )
}
