import { useRef, useState } from 'react'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { announce, Announcer } from '../../ui/announcer.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { FileCheck } from './file-check.tsx'
import { judgeFile, type Judged } from './judge-file.ts'
import { JudgedFile } from './judged-file.tsx'
import type { Refused } from './retrieve.ts'

/** Judges certified PDFs beside the log that they stand in. One that is known by its Proof ID is looked up elsewhere. */
export function ProofBox() {
  const [isChecking, setIsChecking] = useState(false)
  const [judged, setJudged] = useState<Judged | Refused>()
  const newest = useRef<File>(undefined)

  /** Another file may be dropped meanwhile: what is found out of the one before is not said any more. */
  async function check(file: File) {
    newest.current = file
    setJudged(undefined)
    setIsChecking(true)
    announce(m.verify_file_checking())
    const found = await judgeFile(file, undefined)
    if (newest.current !== file) return
    setJudged(found)
    setIsChecking(false)
  }

  return (
    <div className="grid gap-5">
      <FileCheck isChecking={isChecking} onFile={(file) => void check(file)}>
        <TextLink to={PATHS.serviceContent}>{m.transparency_look_up()}</TextLink>
      </FileCheck>
      <Announcer />
      {judged?.kind === 'refused' && (
        <ErrorBanner>
          {judged.title} <bdi>{judged.text}</bdi>
        </ErrorBanner>
      )}
      {judged?.kind === 'file' && (
        <div className="sheet p-5 sm:p-7">
          <JudgedFile judged={judged} />
        </div>
      )}
    </div>
  )
}
