import { useState } from 'react'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { explainUnjudged } from './explain-unjudged.ts'
import { FileCheck } from './file-check.tsx'
import { judgeFile, type Judged } from './judge-file.ts'
import { JudgedFile } from './judged-file.tsx'
import type { Refused } from './retrieve.ts'

/** Judges certified PDFs beside the log that they stand in. One that is known by its Proof ID is looked up elsewhere. */
export function ProofBox() {
  const [isChecking, setIsChecking] = useState(false)
  const [judged, setJudged] = useState<Judged | Refused>()

  async function check(file: File) {
    setIsChecking(true)
    try {
      setJudged(await judgeFile(file, undefined))
    } catch (error) {
      console.error('The file could not be checked', error)
      setJudged(explainUnjudged(error))
    } finally {
      setIsChecking(false)
    }
  }

  return (
    <div className="grid gap-5">
      <FileCheck isChecking={isChecking} onFile={(file) => void check(file)}>
        <TextLink to={PATHS.serviceContent}>{m.transparency_look_up()}</TextLink>
      </FileCheck>
      <div aria-live="polite">
        {judged?.kind === 'refused' && <ErrorBanner>{judged.title}</ErrorBanner>}
        {judged?.kind === 'file' && (
          <div className="sheet p-5 sm:p-7">
            <JudgedFile judged={judged} />
          </div>
        )}
      </div>
    </div>
  )
}
