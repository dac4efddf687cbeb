import { serveContent, type Content } from '@proofdesk/contract/contents'
import { ExternalLink } from 'lucide-react'
import { wordsOf } from '../../lib/error-words.ts'
import { openFile } from '../../ui/open-file.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

export interface FileActionsProps {
  content: Content
  onView: (content: Content) => void
  onProblem: (problem: string | undefined) => void
}

/** Looking at a file here, or in a new tab. */
export function FileActions({ content, onView, onProblem }: FileActionsProps) {
  const [busy, run] = useBusy()
  const { title, file_name: file } = content

  async function openInNewTab() {
    onProblem(undefined)
    try {
      await openFile(serveContent, { query: { content_id: content.id } }, content.file_name)
    } catch (error) {
      onProblem(wordsOf(error, m.content_view_failed()))
    }
  }

  return (
    <div className="flex gap-2">
      <Button aria-label={m.content_view_named({ title, file })} onClick={() => onView(content)}>
        {m.content_view()}
      </Button>
      <IconButton
        icon={ExternalLink}
        label={m.content_open_tab_named({ title, file })}
        busy={busy}
        onClick={() => void run(openInNewTab)}
      />
    </div>
  )
}
