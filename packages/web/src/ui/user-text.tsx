/** Text a person typed: kept apart from the direction of the words around it, and broken when it is long. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return <bdi className={className ?? 'wrap-anywhere'}>{children}</bdi>
}
