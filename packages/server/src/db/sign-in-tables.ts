import type { ProviderId } from '@proofdesk/contract/provider-login'
import type { Generated } from 'kysely'

/** A sign-in. Its refresh tokens are its family: a second use of any of them ends the row and so all of them. */
export interface SessionRow {
  id: Generated<number>
  user_id: number
  created_at: number
  /** When it was begun or last renewed. */
  last_used_at: number
  /** Name of a known browser; null for any other, as `system` for an operating system. */
  browser: string | null
  system: string | null
  /** The first half of an IPv4 address, the first quarter of an IPv6 one; null when it is not known. */
  network: string | null
  /** When its person last showed who they are: by signing in, or when asked once more. */
  confirmed_at: Generated<number>
}

/** Tokens are stored as SHA-256 (hex) only. */
export interface SessionTokenRow {
  hash: string
  session_id: number
  kind: 'access' | 'refresh'
  expires_at: number
  /** Refresh tokens: when it was traded; a second trade is a theft, but for an answer that got lost. */
  used_at: number | null
  /** Refresh tokens: hash of the one it was traded for last; null for one that counts as used without a trade. */
  successor: Generated<string | null>
}

/** Tokens of mailed and printed links, stored as SHA-256 (hex). */
export interface LinkTokenRow {
  hash: string
  /** `verified_email`: was used up, and still says so to whoever has it. */
  kind: 'verify_email' | 'verified_email' | 'setup' | 'reset_password'
  /** Null for `setup`. */
  user_id: number | null
  /** The address the link went to; using it proves that one only. */
  email: string | null
  expires_at: number | null
}

/** A confirmed authenticator app; kept while two-factor is switched off by somebody else. */
export interface AuthenticatorRow {
  user_id: number
  /** Base32 secret, sealed. */
  sealed_secret: string
  confirmed_at: number
}

/** A secret that was shown but not confirmed yet; it belongs to the session that asked for it. */
export interface PendingAuthenticatorRow {
  user_id: number
  session_id: number
  sealed_secret: string
  made_at: number
}

/** Time steps whose code was accepted; the row is what makes a code good once. */
export interface UsedCodeRow {
  user_id: number
  step: number
}

/** An unused recovery code as SHA-256 (hex). */
export interface RecoveryCodeRow {
  user_id: number
  hash: string
  /** 0: before it was written down. */
  made_at: Generated<number>
}

/** A password step that waits for its code. */
export interface ChallengeRow {
  /** SHA-256 (hex) of the challenge. */
  hash: string
  user_id: number
  /** Who took the password step, as the limits name clients. */
  client: string
  /** SHA-256 (hex) of what their program calls itself. */
  agent: string
  /** Of codes that came with the challenge. */
  wrong_codes: Generated<number>
  /** Of codes that came without; they end nothing for those that come with it. */
  bare_wrong_codes: Generated<number>
  created_at: number
}

/** A network that somebody was once signed in to from. */
export interface KnownNetworkRow {
  user_id: number
  /** A keyed hash: without the key nobody can tell which network it was. */
  mark: string
  used_at: number
}

/** What an identity provider gave out and was taken once: states of the redirect and ID tokens. */
export interface ProviderUseRow {
  /** SHA-256 (hex) of its kind and itself. */
  hash: string
  /** When it could no longer be taken anyway. */
  expires_at: number
}

/** Somebody who came back from an identity provider and whose browser has not traded its one-time code yet. */
export interface ProviderEntryRow {
  /** SHA-256 (hex) of the code and of what the browser's cookie holds. */
  hash: string
  user_id: number
  expires_at: number
}

/** A changed address: the old one until it has been told, and where it was a proved one until the change stands. */
export interface EmailChangeRow {
  id: Generated<number>
  user_id: number
  old_email: string
  changed_at: Generated<number>
  /** Key of the old address while nobody else may take it; null where it was never proved, so that nothing is undone. */
  held_email_key: string | null
  /** SHA-256 (hex) of the token that takes the change back; null until it was mailed. */
  undo_hash: string | null
  /** Null where there is nothing to undo. */
  undo_until: number | null
}

/** Somebody whom an identity provider knows: one person there is one account here, and the other way round. */
export interface IdentityRow {
  id: Generated<number>
  user_id: number
  provider: ProviderId
  /** As the provider's own configuration names it, whatever its tokens leave out. */
  issuer: string
  subject: string
  /** What the provider said when it was linked, for the person to recognise it by; nobody is known by it. */
  email: string
  linked_at: number
}

/** Somebody from an identity provider who is not linked yet. */
export interface PendingIdentityRow {
  id: Generated<number>
  /** SHA-256 (hex) of the code and of what the browser's cookie holds; null once the link is mailed. */
  hash: string | null
  /** SHA-256 (hex) of the mailed token. */
  link_hash: string | null
  /** The account that has their address; null where a signed-in person links it themselves. */
  user_id: number | null
  provider: ProviderId
  issuer: string
  subject: string
  email: string
  expires_at: number
}

/** Those of the ways in, and of staying in. */
export interface SignInTables {
  sessions: SessionRow
  session_tokens: SessionTokenRow
  link_tokens: LinkTokenRow
  authenticators: AuthenticatorRow
  pending_authenticators: PendingAuthenticatorRow
  used_codes: UsedCodeRow
  recovery_codes: RecoveryCodeRow
  challenges: ChallengeRow
  known_networks: KnownNetworkRow
  provider_uses: ProviderUseRow
  provider_entries: ProviderEntryRow
  email_changes: EmailChangeRow
  identities: IdentityRow
  pending_identities: PendingIdentityRow
}
