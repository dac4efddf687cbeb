/** The words of the mail library for the same would contradict ours, or go without encryption unnoticed. */
export function hasClearTls(text: string): boolean {
  const { searchParams } = new URL(text)
  const tls = searchParams.get('tls')
  const others = ['secure', 'requireTLS', 'ignoreTLS', 'opportunisticTLS']
  return (tls === null || tls === 'required' || tls === 'optional') && !others.some((name) => searchParams.has(name))
}
