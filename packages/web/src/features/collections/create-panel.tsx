import { CollectionTitle } from '@proofdesk/contract/collections'
import { useState, type SubmitEvent } from 'react'
import { NetworkError } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { Rosette } from '../../ui/rosette.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DRAFT_OF_COLLECTION, useCreateCollection } from './api.ts'

/** One band above the table. What was typed stays until the collection exists. */
export function CreatePanel({ onCreated }: { onCreated: () => void }) {
  const [title, setTitle] = useDraft(DRAFT_OF_COLLECTION)
  const [problem, setProblem] = useState<string>()
  const create = useCreateCollection()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (create.isPending) return
    const checked = CollectionTitle.safeParse(title)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (checked.success) void send(checked.data)
    else focusFirstFault(event.currentTarget)
  }

  async function send(checked: string) {
    const outcome = await attempt(create.send(checked))
    if (!outcome.isDone) tellFailure(outcome.error)
    else if (outcome.value) onCreated()
  }

  return (
    <section className="sheet relative overflow-hidden p-4 lg:px-5">
      <Rosette
        seed="Collection Management"
        detail="large"
        className="pointer-events-none absolute -end-12 -top-16 size-56 text-line max-xl:hidden"
      />
      <form
        noValidate
        onSubmit={handleSubmit}
        aria-busy={create.isPending}
        className="relative grid items-start gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,17rem)_minmax(0,34rem)]"
      >
        <div>
          <h2 className="font-serif text-lg font-semibold">{m.collection_new()}</h2>
          <p className="text-sm text-ink-2">{m.collection_new_text()}</p>
        </div>
        <div className="flex flex-wrap items-start gap-2 lg:pt-1.5">
          <div className="min-w-0 grow basis-60">
            <TextField
              label={m.collection_title_label()}
              labelHidden
              placeholder={m.collection_title_example()}
              required
              autoComplete="off"
              value={title}
              error={problem}
              readOnly={create.isPending}
              onChange={(event) => {
                setTitle(event.target.value)
                setProblem(undefined)
              }}
            />
          </div>
          <Button type="submit" kind="brand" busy={create.isPending} className="min-h-10">
            {m.collection_create()}
          </Button>
        </div>
      </form>
    </section>
  )
}

function tellFailure(error: unknown): void {
  // Without an answer the default would stand there twice.
  const message = error instanceof NetworkError ? m.server_silent_title() : wordsOf(error, m.collection_create_failed())
  void showNotice({
    title: m.collection_create_failed_title(),
    text: m.collection_create_failed_in_dialog({ message }),
  })
}
