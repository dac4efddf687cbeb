import type { Person } from '@proofdesk/contract/directory'
import type { ReactNode } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { KeptFocus } from '../../ui/kept-focus.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { useEndSessionsOfPerson } from './api.ts'

/** Where they are signed in, and the way to sign them out everywhere. @param children The sessions themselves. */
export function PersonSessions({ person, children }: { person: Person; children: ReactNode }) {
  const { id, username, sessions } = person
  const { mutate, isPending } = useEndSessionsOfPerson(id)

  async function askEnd() {
    const text = m.person_end_sessions_text({ username })
    if (!(await askConfirm({ title: m.are_you_sure(), text, action: m.person_end_sessions(), danger: true }))) return
    mutate(undefined, {
      onError: (error) =>
        void showNotice({ title: m.sessions_end_failed(), text: wordsOf(error, m.profile_try_again()) }),
    })
  }

  return (
    <SectionSheet title={m.person_sessions()}>
      <KeptFocus rows={sessions} className="grid gap-5">
        {sessions.length === 0 ? (
          <p className="text-ink-2">{m.person_no_sessions()}</p>
        ) : (
          <>
            {children}
            <Button kind="danger" busy={isPending} className="justify-self-start" onClick={() => void askEnd()}>
              {m.person_end_sessions()}
            </Button>
          </>
        )}
      </KeptFocus>
    </SectionSheet>
  )
}
