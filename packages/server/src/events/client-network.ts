import { findAskingClient } from '../http/asking-client.ts'
import { nameClient, nameNeighbourhood } from '../http/limits.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** 96 bits: enough to tell networks apart, too few to be a second address. */
const MARK_LENGTH = 16

/**
 * A keyed hash of the network (/24 of IPv4, /48 of IPv6) whose request is being answered: it shows what came from the same
 * place, and without the key nobody learns from where. Null for what no request asked for.
 */
export function markNetwork(secrets: SecretBox | undefined): string | null {
  const address = findAskingClient()
  if (address === undefined || !secrets) return null
  return secrets.mac(nameNeighbourhood(nameClient(address)), 'network of an audit entry').slice(0, MARK_LENGTH)
}
