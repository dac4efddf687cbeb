import { useState, type SubmitEvent } from 'react'
import type { z } from 'zod'
import { attempt } from '../lib/attempt.ts'
import { useDraft } from '../lib/use-draft.ts'
import { sayIssue } from '../lib/words.ts'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { focusFirstFault } from './focus-first-fault.ts'
import { SUBMIT_KEYS, submitByKeys } from './submit-by-keys.ts'
import { TextArea } from './text-field.tsx'
import { showToast } from './toast.ts'

interface WritingFormProps {
  label: string
  /** Name under which the text is kept while it is written. */
  draft: string
  schema: z.ZodType<string>
  sending: {
    isPending: boolean
    /** @returns nothing where the text is on its way already */
    send: (text: string) => Promise<object | undefined>
  }
  /** Words once it is sent, and when it was not. */
  done: string
  explain: (error: unknown) => string
}

/** A text for others to read. What was typed stays until it is sent, whatever becomes of the screen. */
export function WritingForm({ label, draft, schema, sending, done, explain }: WritingFormProps) {
  const [text, setText] = useDraft(draft)
  const [problem, setProblem] = useState<string>()
  const { isPending } = sending

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const checked = schema.safeParse(text)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) {
      focusFirstFault(form)
      return
    }
    void send(checked.data, form)
  }

  async function send(checked: string, form: HTMLFormElement) {
    const outcome = await attempt(sending.send(checked))
    if (outcome.isDone) return outcome.value && showToast(done)
    // Whoever has left by then finds the text where it was.
    if (!form.isConnected) return showToast(explain(outcome.error), 'error')
    setProblem(explain(outcome.error))
    focusFirstFault(form)
  }

  return (
    <form
      ref={submitByKeys}
      noValidate
      onSubmit={handleSubmit}
      aria-busy={isPending}
      className="flex items-start gap-2 border-t border-line p-3"
    >
      <div className="min-w-0 grow">
        <TextArea
          label={label}
          labelHidden
          placeholder={m.comment_placeholder()}
          rows={2}
          value={text}
          error={problem}
          readOnly={isPending}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(undefined)
          }}
          className="max-h-40"
        />
      </div>
      <Button type="submit" kind="brand" busy={isPending} aria-keyshortcuts={SUBMIT_KEYS} className="min-h-10">
        {isPending ? m.comment_posting() : m.comment_send()}
      </Button>
    </form>
  )
}
