import { readProofLink } from '@proofdesk/contract/proof-link'
import { Undo2 } from 'lucide-react'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { FileCheck } from '../../features/certificates/file-check.tsx'
import type { Judged } from '../../features/certificates/judge-file.ts'
import { RefusedProof } from '../../features/certificates/refused-proof.tsx'
import { OfflinePageLink } from '../../features/certificates/offline-page-link.tsx'
import type { Refused, Verified } from '../../features/certificates/retrieve.ts'
import { VerifyForm, type ProofFields } from '../../features/certificates/verify-form.tsx'
import { useScreenState } from '../../lib/screen-state.tsx'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { announce, Announcer } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useLoadedAhead } from '../../ui/use-loaded-ahead.ts'

const loadJudgedFile = () => import('../../features/certificates/judged-file.tsx')
const JudgedFile = loadLazily(async () => ({ default: (await loadJudgedFile()).JudgedFile }))
/** What judges a file and what shows the verdict. */
const loadJudge = () => Promise.all([import('../../features/certificates/judge-file.ts'), loadJudgedFile()])
const PrintedCode = loadLazily(async () => ({
  default: (await import('../../features/certificates/printed-code.tsx')).PrintedCode,
}))
/** The beginning of every printed code, see `findPaperCode`. */
const CODE = '#2KC'
const sayFailure = (): Refused => ({ kind: 'refused', reason: 'unknown', title: m.verify_failed() })
const loadVerifiedProof = () => import('../../features/certificates/verified-proof.tsx')
const VerifiedProof = loadLazily(async () => ({ default: (await loadVerifiedProof()).VerifiedProof }))

/** The form stands at once; what asks and what shows the answer is loaded while it is filled in. */
function loadParts() {
  return Promise.all([import('../../features/certificates/retrieve.ts'), loadVerifiedProof()])
}

/** Open to everyone: whoever holds a Proof ID and a username gets the certified PDF. */
export default function ServiceContentPage() {
  const { hash, state, key } = useLocation()
  const [answer, setAnswer] = useScreenState<Verified | Refused | Judged | undefined>('answer', () => undefined)
  const isCode = hash.startsWith(CODE)
  const [link, setLink] = useScreenState('link', () => '')
  const [isVerifying, setIsVerifying] = useScreenState('is-verifying', () => false)
  // The file that was chosen last, until it is judged.
  const [checking, setChecking, readChecking] = useScreenState<File | undefined>('checking', () => undefined)
  // The proof that files are compared with, whatever became of one of them.
  const [verified, setVerified, readVerified] = useScreenState<Verified | undefined>('verified', () => undefined)
  const [, setVerifying, readVerifying] = useScreenState('verifying', () => Promise.resolve())
  const result = useRef<HTMLDivElement>(null)
  useLoadedAhead(loadJudge)
  const [, setQuestions, readQuestions] = useScreenState('questions', () => ({ asked: 0, hash }))

  // Another link asks about another document: what was found out of the one before must not stand beside it.
  useLayoutEffect(() => {
    const { asked, hash: known } = readQuestions()
    if (hash === known) return
    const isNew = asksAnew(hash)
    setQuestions({ asked: isNew ? asked + 1 : asked, hash })
    if (!isNew) return
    setAnswer(undefined)
    setVerified(undefined)
  }, [hash, readQuestions, setQuestions, setAnswer, setVerified])

  /** Asks in turn: an answer that comes after the next question is nobody's. */
  function ask(): (answer: Verified | Refused | Judged) => void {
    const { asked, hash: known } = readQuestions()
    const question = asked + 1
    setQuestions({ asked: question, hash: known })
    return (found) => {
      if (question !== readQuestions().asked) return
      setAnswer(found)
      if (found.kind === 'verified') setVerified(found)
    }
  }

  /** What was found out of other fields must not stand beside them, nor come later; a file that was judged by itself may. */
  function forgetAnswer() {
    if (verified || isVerifying) ask()
    if (answer?.kind !== 'file' || answer.original !== undefined) setAnswer(undefined)
    setVerified(undefined)
  }

  async function verify(fields: ProofFields) {
    const { promise, resolve: settle } = Promise.withResolvers<void>()
    setVerifying(promise)
    setAnswer(undefined)
    setVerified(undefined)
    setIsVerifying(true)
    announce(m.verify_busy())
    const tell = ask()
    try {
      const [{ retrieveProof }] = await loadParts()
      tell(await retrieveProof(fields))
    } catch (error) {
      console.error('The code that verifies could not be loaded', error)
      tell(sayFailure())
    } finally {
      settle()
      setIsVerifying(false)
    }
  }

  /** The file stays here. It is compared with the originals of the proof that was verified last, or judged by itself. */
  async function check(file: File) {
    setChecking(file)
    announce(m.verify_file_checking())
    // Its answer would be nobody's if the file were asked about meanwhile.
    await readVerifying()
    if (readChecking() !== file) return
    setAnswer(undefined)
    const tell = ask()
    try {
      const [{ judgeFile }] = await loadJudge()
      tell(await judgeFile(file, readVerified()))
    } catch (error) {
      console.error('The code that checks files could not be loaded', error)
      tell(sayFailure())
    } finally {
      if (readChecking() === file) setChecking(undefined)
    }
  }

  function returnToProof() {
    setAnswer(verified)
    // The button goes with what it leaves.
    result.current?.focus()
  }

  function prepare() {
    // A failure is told when the person asks for an answer.
    loadParts().catch(() => {})
  }

  useEffect(() => {
    const place = result.current
    if (!answer || !place) return
    // On a phone the answer stands below the form, and is longer than the screen: it begins at its top.
    const isBelow = place.getBoundingClientRect().top > window.innerHeight / 2
    place.scrollIntoView({ block: isBelow ? 'start' : 'nearest' })
  }, [answer])

  // A proof that holds is printed alone.
  const printClass = answer?.kind === 'verified' ? 'print:hidden' : ''
  return (
    <div className="mx-auto max-w-6xl">
      <PageHeading title={m.verify_title()} lead={m.verify_lead()} className={printClass} />
      <div className="mt-6 grid items-start print:mt-0 print:block gap-5 lg:grid-cols-[minmax(0,23rem)_minmax(0,1fr)]">
        <div className={`grid gap-5 ${printClass}`}>
          <div className="sheet p-4 sm:p-5">
            <VerifyForm
              fragment={isCode ? link : hash}
              lookUp={isLookUp(state) ? key : undefined}
              isBelowCode={isCode}
              isVerifying={isVerifying}
              isIncomplete={answer?.kind === 'refused' && answer.reason === 'incomplete'}
              onStart={prepare}
              onEdit={forgetAnswer}
              onVerify={verify}
            />
          </div>
          <FileCheck isChecking={checking !== undefined} onFile={(file) => void check(file)}>
            <TextLink to={PATHS.transparency}>{m.transparency_title()}</TextLink>
          </FileCheck>
          <OfflinePageLink />
        </div>
        {/* What has come is named in a sentence; read out whole it would go on for minutes. */}
        <Announcer />
        <div ref={result} tabIndex={-1} className={isCode ? 'outline-none max-lg:order-first' : 'outline-none'}>
          <Suspense>{isCode && <PrintedCode hash={hash} record={verified?.details} onLink={setLink} />}</Suspense>
          {verified && answer && answer !== verified && (
            <Button onClick={returnToProof} className="mb-5">
              <Undo2 aria-hidden size={16} />
              {m.verify_back_to_proof()}
            </Button>
          )}
          <div
            className={`sheet flex min-h-96 items-center justify-center p-5 sm:p-7 print:border-0 print:p-0 ${answer ? '' : 'max-lg:hidden'}`}
          >
            {!answer && (
              <div className="grid justify-items-center gap-5 text-center">
                <Rosette seed="nothing here" detail="large" className="size-48 text-line" />
                <p className="max-w-xs text-ink-2">{m.verify_waiting()}</p>
              </div>
            )}
            <Suspense>
              {answer?.kind === 'verified' && <VerifiedProof proof={answer} />}
              {answer?.kind === 'file' && <JudgedFile judged={answer} />}
            </Suspense>
            {answer?.kind === 'refused' && <RefusedProof refusal={answer} />}
          </div>
        </div>
      </div>
    </div>
  )
}

const isLookUp = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isLookUp' in state && state.isLookUp === true

/** Whether a fragment is a printed code, or the link of a certificate. */
function asksAnew(hash: string): boolean {
  const { proofId, username } = readProofLink(hash)
  return hash.startsWith(CODE) || proofId !== '' || username !== ''
}
