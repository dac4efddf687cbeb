import { MAIL_REFUSAL_SHOWN_MS } from '@proofdesk/contract/limits'
import type { UserInfo } from '@proofdesk/contract/users'
import { Link } from 'react-router'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** A full mailbox is emptied without a word to us: what is long ago is not told any more. */
function isShown({ at }: NonNullable<UserInfo['mail_refusal']>): boolean {
  return Date.now() - Date.parse(at) < MAIL_REFUSAL_SHOWN_MS
}

/** Stands on every screen of somebody whom our mails do not reach. Few see it, so it is loaded when it is wanted. */
export default function RefusalBanner({ user: { email, mail_refusal: refusal } }: { user: UserInfo }) {
  if (!refusal || !isShown(refusal)) return null
  const { words } = refusal
  return (
    <WarnBanner
      action={
        <Link to={PATHS.profile} className="self-center font-[560] text-warn underline">
          {m.refusal_banner_profile()}
        </Link>
      }
    >
      <span className="grid gap-0.5 wrap-anywhere">
        <span>
          <Sentence say={(place) => m.refusal_banner({ email: place })} text={email} />
        </span>
        {words !== null && (
          <span className="text-sm font-normal">
            <Sentence say={(place) => m.mail_server_said({ words: place })} text={words} />
          </span>
        )}
      </span>
    </WarnBanner>
  )
}
