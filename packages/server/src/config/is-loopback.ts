/** Nobody elsewhere can reach these, nor the unspecified addresses that a server listens on. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return /^(localhost|.*\.localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(bare)
}
