import type { ProofDetails } from '@proofdesk/contract/certificates'
import { useEffect, useState } from 'react'
import { judgeCode, toLinkFragment, type JudgedCode as Judged } from './judge-code.ts'
import { JudgedCode } from './judged-code.tsx'
import { UncheckedCode } from './unchecked-code.tsx'

export interface PrintedCodeProps {
  /** Of the address, as a telephone's camera opened it. */
  hash: string
  /** What was looked up since, of whichever proof. */
  record: ProofDetails | undefined
  /** Takes the fragment of a link with the same fields. */
  onLink: (fragment: string) => void
}

/** Reads the printed code in the address, hands its fields over, and says what it is worth. */
export function PrintedCode({ hash, record, onLink }: PrintedCodeProps) {
  const [known, setKnown] = useState<{ hash: string; judged: Judged | Error }>()
  const [tries, setTries] = useState(1)
  useEffect(() => {
    let isWanted = true
    const link = toLinkFragment(hash)
    if (link !== undefined) onLink(link)
    judgeCode(hash).then(
      (judged) => isWanted && setKnown({ hash, judged }),
      (error: unknown) => {
        console.error('The printed code could not be checked', error)
        if (isWanted) setKnown({ hash, judged: error instanceof Error ? error : new Error(String(error)) })
      },
    )
    return () => {
      isWanted = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each code, and again when asked to
  }, [hash, tries])
  if (known?.hash !== hash) return null
  const { judged } = known
  if (judged instanceof Error) return <UncheckedCode error={judged} onRetry={() => setTries(tries + 1)} />
  // Another document may have been looked up beside the code: its record says nothing about this one.
  const isOfCode = record?.proofid === judged.report.claims?.proofId
  return <JudgedCode judged={judged} record={isOfCode ? record : undefined} />
}
