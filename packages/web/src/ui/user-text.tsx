export interface UserTextProps {
  children: string
  className?: string
  /** Cuts what is longer; the whole then stands in the tooltip. */
  lines?: 2
}

/**
 * Text a person typed: kept apart from the direction of the words around it, and broken when it is long. It begins where
 * those words begin, whatever its own direction: as a block of its own, a `bdi` would begin at the other side.
 */
export function UserText({ children, className = 'wrap-anywhere', lines }: UserTextProps) {
  return (
    <span className={lines ? 'line-clamp-2 wrap-anywhere' : className} title={lines && children}>
      <bdi>{children}</bdi>
    </span>
  )
}
