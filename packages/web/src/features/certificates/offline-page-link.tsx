import { Download } from 'lucide-react'
import { m } from '../../paraglide/messages.js'

/** The page that checks by itself, to keep. It is saved by its bytes: the browser's own saving would change them. */
export function OfflinePageLink() {
  return (
    <div>
      <a
        href="/verify"
        download="verify.html"
        className="inline-flex items-center gap-2 font-[560] text-brand underline-offset-4 hover:underline"
      >
        <Download aria-hidden size={17} />
        {m.verify_offline_link()}
      </a>
      <p className="mt-1 text-sm text-ink-2">{m.verify_offline_text()}</p>
    </div>
  )
}
