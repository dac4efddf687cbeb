/**
 * Why a sealed file, or a proof of the log, is refused. The list is closed; a code never changes its meaning.
 *
 * - `rev0_layout`: revision 0 is not laid out the one way this program writes it
 * - `rev0_slots`: revision 0 lacks its reserved places, or has something beside them that must not be there
 * - `rev0_shadow`: something else in revision 0 points at what the sealing update defines
 * - `unsealed`: revision 0 alone, nothing was appended yet
 * - `seal`: what follows revision 0 is not the sealing update this program writes
 * - `after_seal`: bytes follow the sealing update
 * - `digest`: the signed bytes are not the bytes of the file
 * - `signature`: the signature value is wrong
 * - `der`, `cms`, `cms_alg`: the signature container cannot be read, has a wrong shape, or names an unknown algorithm
 * - `timestamp`: the signature carries a time stamp, which this version cannot judge
 * - `x509`, `x509_time`, `x509_trust`: a certificate is wrong, not valid at that time, or leads to no pinned one
 * - `log_range`: a size or an index that no tree can have
 * - `log_inclusion`: the path does not lead from the entry to the root
 * - `log_consistency`: the newer tree does not begin with the older one
 * - `log_tile`: a tile, a bundle of entries, or the path of one has a wrong shape
 * - `log_note`: a signed note or a verifier key cannot be read
 * - `log_signature`: a known key's signature is wrong
 * - `log_trust`: no known key signed
 * - `log_checkpoint`: the text of a checkpoint has a wrong shape
 * - `log_proof`: a proof file (`.tlog-proof`) has a wrong shape
 * - `log_policy`: a policy has a wrong shape
 * - `log_witness`: a request to a witness, or its answer, has a wrong shape
 * - `log_statement`: an entry of the log is none that this program writes
 * - `log_commitment`: the disclosed fields are not those that were committed to
 * - `log_status`: a page of the list of what is revoked has a wrong shape, or is not the one that the log names
 * - `instance_policy`: the policy file of an instance has a wrong shape
 * - `receipt`: no receipt in its one form
 * - `paper`: the code of a certificate on paper is none in its one form
 * - `paper_signature`: the signature in it is wrong
 * - `paper_trust`: a key signed it that the policy does not name
 * - `newer`: made by a newer version of this program, which this one cannot judge; says nothing about the file
 * - `unsupported`: the browser lacks what the check needs, or fails at it; says nothing about the file
 * - `malformed`: anything else that cannot be read
 */
export type ProofErrorCode =
  | 'rev0_layout'
  | 'rev0_slots'
  | 'rev0_shadow'
  | 'unsealed'
  | 'seal'
  | 'after_seal'
  | 'digest'
  | 'signature'
  | 'der'
  | 'cms'
  | 'cms_alg'
  | 'timestamp'
  | 'x509'
  | 'x509_time'
  | 'x509_trust'
  | 'log_range'
  | 'log_inclusion'
  | 'log_consistency'
  | 'log_tile'
  | 'log_note'
  | 'log_signature'
  | 'log_trust'
  | 'log_checkpoint'
  | 'log_proof'
  | 'log_policy'
  | 'log_witness'
  | 'log_statement'
  | 'log_commitment'
  | 'log_status'
  | 'instance_policy'
  | 'receipt'
  | 'paper'
  | 'paper_signature'
  | 'paper_trust'
  | 'newer'
  | 'unsupported'
  | 'malformed'

/** Why a proof does not hold: `code` to switch on, `message` for the log. Never thrown for an outage. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly code: ProofErrorCode

  constructor(code: ProofErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Refuses, as an expression: `value ?? refuse('der', 'no value')`. @throws ProofError always. */
export function refuse(code: ProofErrorCode, message: string): never {
  throw new ProofError(code, message)
}
