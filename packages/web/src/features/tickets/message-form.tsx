import { TicketMessageText } from '@proofdesk/contract/tickets'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/api-error.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.ts'
import { draftOfMessage, useSendMessage } from './api.ts'
import type { Asker } from './asker.ts'

/** What was typed stays until it is sent, whatever becomes of the screen. */
export function MessageForm({ asker, ticketId }: { asker: Asker; ticketId: number }) {
  const [text, setText] = useDraft(draftOfMessage(ticketId))
  const [problem, setProblem] = useState<string>()
  const send = useSendMessage(asker, ticketId)

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (send.isPending) return
    const checked = TicketMessageText.safeParse(text)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) return
    send.mutate(checked.data, {
      onSuccess: () => {
        setText('')
        showToast(m.message_sent())
      },
      onError: (error) => setProblem(wordsOf(error, m.message_send_failed())),
    })
  }

  return (
    <form
      noValidate
      onSubmit={handleSubmit}
      aria-busy={send.isPending}
      className="flex items-start gap-2 border-t border-line p-3"
    >
      <div className="min-w-0 grow">
        <TextArea
          label={m.message_label()}
          labelHidden
          placeholder={m.comment_placeholder()}
          rows={2}
          value={text}
          error={problem}
          readOnly={send.isPending}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(undefined)
          }}
          className="max-h-40"
        />
      </div>
      <Button type="submit" kind="brand" busy={send.isPending} className="min-h-10">
        {send.isPending ? m.comment_posting() : m.comment_send()}
      </Button>
    </form>
  )
}
