/** The verification page's address with both fields filled in; in the fragment, so that no server log sees them. */
export function toProofLink(publicUrl: string, proofId: string, username: string): string {
  return `${toVerifyUrl(publicUrl)}#${new URLSearchParams({ proofid: proofId, username })}`
}

export function toVerifyUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/service-content`
}

/** Reads the fragment of such a link; missing fields come back empty. */
export function readProofLink(fragment: string): { proofId: string; username: string } {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  return { proofId: fields.get('proofid') ?? '', username: fields.get('username') ?? '' }
}
