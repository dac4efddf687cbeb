import { readChildren, readOnlyElement, writeElement } from '../der.ts'

/** Writes a DER element again with other parts at the end of `path`, which is child numbers from the outside in. */
export function editElement(
  bytes: Uint8Array<ArrayBuffer>,
  path: readonly number[],
  edit: (parts: Uint8Array<ArrayBuffer>[]) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const element = readOnlyElement(bytes)
  const parts = readChildren(element).map(({ whole }) => whole)
  const [next, ...rest] = path
  if (next === undefined) return writeElement(element.tag, ...edit(parts))
  return writeElement(element.tag, ...parts.with(next, editElement(parts[next]!, rest, edit)))
}
