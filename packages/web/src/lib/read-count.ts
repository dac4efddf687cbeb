/**
 * For a tile: undefined while it is being counted, null when that failed. What is known stays when counting it again fails.
 */
export function readCount({
  data,
  isError,
}: {
  data: number | undefined
  isError: boolean
}): number | null | undefined {
  return data === undefined && isError ? null : data
}
