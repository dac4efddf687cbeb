/** Objects of a file of our own layout, as they stand there: object n at index n - 1. */
export function listObjects(file: Buffer): Buffer[] {
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1', file.length - 100))![1])
  const text = file.toString('latin1', table)
  const offsets = [...text.matchAll(/(\d{10}) 00000 n\r\n/g)].map(([, offset]) => Number(offset))
  return offsets.map((offset, i) => file.subarray(offset, offsets[i + 1] ?? table))
}

/** Numbers of the pages, in order. */
export function listPageNumbers(file: Buffer): number[] {
  const tree = listObjects(file).find((object) => object.includes('/Type /Pages\n'))!
  const kids = /\/Kids \[(.*?)\]/.exec(tree.toString('latin1'))![1]!
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number))
}

/** Numbers of the objects that nothing leads to from the trailer. */
export function listUnreachable(file: Buffer): number[] {
  const objects = listObjects(file)
  const trailer = file.toString('latin1', file.lastIndexOf('trailer'))
  const reached = new Set<number>()
  const waiting = [trailer]
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, digits] of text.matchAll(/\b(\d+) 0 R\b/g)) {
      const number = Number(digits)
      if (reached.has(number)) continue
      reached.add(number)
      // data of streams hold no references
      waiting.push(objects[number - 1]!.toString('latin1').split('\nstream\n')[0]!)
    }
  }
  return objects.flatMap((_, i) => (reached.has(i + 1) ? [] : [i + 1]))
}
