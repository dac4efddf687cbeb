import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { findReceipt, judgeReceipt } from '@proofdesk/proof/receipt-file'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { checkGrowth, type Growth } from '../check-growth.ts'
import { findStep, judgeDocument, type Judgement, type NamedFile } from '../judge-document.ts'
import { formatReceipt } from '../receipt.ts'
import { sayVerdict, WORDS } from '../words.ts'
import { make, saveText } from './element.ts'
import { makeFileField, readFile, takeDrops } from './file-fields.ts'
import { drawFigure } from './drawing.ts'
import { fetchPolicy, INSTANCE_LOG, isServed } from './instance.ts'
import { acceptPolicy, meetPolicy } from './known-policies.ts'
import { isPolicyInDoubt, offerPolicy, showPolicy, type PolicyState } from './policy-panel.ts'
import { judgePaper } from '../judge-paper.ts'
import { sayPaperVerdict, PAPER_WORDS } from '../paper-words.ts'
import { makePaperDesk } from './paper/paper-desk.ts'
import { showPaper } from './paper/show-paper.ts'
import { readPolicy, sortGiven, type GivenPolicy } from './sort-given.ts'
import { INSTANCE_STATUS } from './status-pages.ts'
import { showGrowth, showJudgement } from './result.ts'
import { sayReceipt, showReceipt } from './show-receipt.ts'

let trusted: PolicyState | undefined
let file: NamedFile | undefined
/** What a printed code says, in the place of a file. */
let paper: string | undefined
/** Answers to what was asked before the last question are thrown away. */
let turn = 0
/** What was handed in, and what of it is judged: reading one may take longer than reading the next. */
let [started, taken] = [0, 0]
/** The same of the field for policies. */
let policyTurn = 0

const policyNote = make('p', { class: 'fault', role: 'alert' })
const policyPlace = make('div', { id: 'policy' })
const fileNote = make('p', { class: 'fault', role: 'alert' })
const offerPlace = make('div')
const answer = make('div', { id: 'answer' })
/** Says in a few words what stands in `answer`, for those who do not see it change. */
const spoken = make('p', { class: 'unseen', role: 'status' })

const policyField = makeFileField(
  'policy-file',
  { label: WORDS.policyLabel, hint: WORDS.policyHint, accept: '.json,application/json' },
  (files) => void takePolicyFile(files),
)
const documentField = makeFileField(
  'document-file',
  { label: WORDS.documentLabel, hint: WORDS.documentHint, accept: '.pdf,application/pdf,.txt,.json' },
  (files) => void takeFiles(files),
)
const paperDesk = makePaperDesk(takePaper, takeNothing, startTaking)

showPage()
takeAddress()
addEventListener('hashchange', takeAddress)
if (isServed) void fetchOwnPolicy()

function showPage(): void {
  const heading = make('div', {}, make('h1', {}, WORDS.title), make('p', { class: 'lead' }, WORDS.lead))
  const page = make('main', {}, make('header', {}, drawFigure('Proofdesk', 'small'), heading), showDesk(), showAbout())
  document.body.replaceChildren(page)
  takeDrops(page, (files) => void takeFiles(files, true))
  showWaiting()
}

function showDesk(): HTMLElement {
  return make(
    'div',
    { class: 'desk' },
    make(
      'div',
      {},
      make(
        'section',
        { class: 'sheet', 'aria-labelledby': 'policy-title' },
        make('h2', { id: 'policy-title' }, WORDS.policyTitle),
        policyField.element,
        policyNote,
        policyPlace,
      ),
      make(
        'section',
        { class: 'sheet', 'aria-labelledby': 'document-title' },
        make('h2', { id: 'document-title' }, WORDS.documentTitle),
        documentField.element,
        fileNote,
        offerPlace,
      ),
      paperDesk.element,
    ),
    make('div', { class: 'sheet' }, spoken, answer),
  )
}

function showAbout(): HTMLElement {
  const link = (href: string, download: string, words: string) => make('a', { href, download }, words)
  const links = [
    make('li', {}, link('/verify', 'verify.html', WORDS.pageSave), '. ', WORDS.pageSaveHint),
    make('li', {}, link('/log/instance-policy', 'proofdesk-policy.json', WORDS.pagePolicy)),
    make('li', {}, make('a', { href: '/verify.sha256' }, WORDS.pageSum)),
  ]
  return make(
    'section',
    { class: 'sheet about', 'aria-labelledby': 'about-title' },
    make('h2', { id: 'about-title' }, WORDS.pageTitle),
    make('p', {}, WORDS.pageText),
    make('p', { class: 'hint' }, WORDS.pageCommands),
    isServed ? make('ul', {}, ...links) : undefined,
  )
}

async function fetchOwnPolicy(): Promise<void> {
  const bytes = await fetchPolicy()
  // What the person has chosen meanwhile stands.
  if (bytes && !trusted) takePolicyBytes(bytes, true)
}

/** @returns what takes the place of what was handed in before: false where something that came later has it already */
function startTaking(): () => boolean {
  const mine = ++started
  return () => {
    if (mine < taken) return false
    taken = mine
    return true
  }
}

/** Several at once are told apart by what is in them. */
async function takeFiles(files: File[], areDropped = false): Promise<void> {
  // The dialog was closed without choosing.
  if (files.length === 0) return
  const claimPlace = startTaking()
  fileNote.replaceChildren()
  offerPlace.replaceChildren()
  try {
    const picture = files.find(({ type }) => type.startsWith('image/'))
    if (picture) void paperDesk.takePicture(picture)
    const latest = started
    const read = await Promise.all(files.filter((one) => one !== picture).map(readFile))
    const { documents, policies, fault } = sortGiven(read)
    const isTaken = documents.length > 0 && claimPlace()
    if (fault !== undefined) fileNote.replaceChildren(fault)
    else if (documents.length > 1) fileNote.replaceChildren(WORDS.severalDropped)
    if (isTaken) {
      ;[file, paper] = [documents.at(-1), undefined]
      paperDesk.emptyPicture()
    }
    // The field goes on naming what is judged, and nothing else.
    if (areDropped ? isTaken : documents.length === 0 && latest === started) documentField.empty()
    const isPolicyTaken = considerPolicies(policies, areDropped)
    if (!isPolicyTaken && isTaken) await judge()
    else if (fault !== undefined && documents.length + policies.length === 0 && claimPlace()) takeNothing()
  } catch (error) {
    console.error(error)
    fileNote.replaceChildren(WORDS.unread)
    if (claimPlace()) takeNothing()
  }
}

/**
 * Whoever hands in a policy where documents are may have been told that it is one. It is relied on at once only where none is in
 * use, and where it is called what it is; else that has to be said.
 * @returns whether one was taken, by which all is judged then
 */
function considerPolicies(policies: readonly GivenPolicy[], areDropped: boolean): boolean {
  const others = policies.filter(({ policy }) => policy.fingerprint !== trusted?.policy.fingerprint)
  const named = others.filter(({ name }) => /\.json$/i.test(name))
  const clear = areDropped && !trusted && named.length === 1 ? named[0] : undefined
  const offered = others.findLast((one) => one !== clear)
  if (clear) {
    policyField.empty()
    takePolicy(clear.policy, false)
  }
  if (offered) {
    const use = () => {
      offerPlace.replaceChildren()
      policyField.empty()
      takePolicy(offered.policy, false)
    }
    offerPlace.replaceChildren(offerPolicy(offered, trusted?.policy, use))
  }
  return clear !== undefined
}

/** A code may stand in the address, as it does on paper. */
function takeAddress(): void {
  if (findPaperCode(location.hash) !== undefined && startTaking()()) takePaper(location.hash)
}

function takePaper(text: string): void {
  ;[file, paper] = [undefined, text]
  documentField.empty()
  void judge()
}

/** What was handed in last cannot be judged: a verdict of what came before it would be taken for its own. */
function takeNothing(): void {
  ;[file, paper] = [undefined, undefined]
  documentField.empty()
  void judge()
}

async function takePolicyFile([chosen]: File[]): Promise<void> {
  if (!chosen) return
  const mine = ++policyTurn
  try {
    const { bytes } = await readFile(chosen)
    if (mine === policyTurn) takePolicyBytes(bytes, false)
  } catch (error) {
    console.error(error)
    policyNote.replaceChildren(sayBroken())
  }
}

function takePolicyBytes(bytes: NamedFile['bytes'], isFetched: boolean): void {
  const policy = readPolicy(bytes)
  if (typeof policy === 'object') return takePolicy(policy, isFetched)
  policyNote.replaceChildren(policy === 'newer' ? WORDS.policyNewer : sayBroken())
}

function takePolicy(policy: InstancePolicy, isFetched: boolean): void {
  policyTurn++
  policyNote.replaceChildren()
  offerPlace.replaceChildren()
  trusted = replacePolicy(policy, isFetched)
  showTrusted()
  void judge()
}

/** Another one than is in use is remembered, and freed of its alarm, only once a person has said that it is the right one. */
function replacePolicy(policy: InstancePolicy, isFetched: boolean): PolicyState {
  const isSame = (one: PolicyState | undefined) => one?.policy.fingerprint === policy.fingerprint
  const before = trusted?.before ?? trusted
  if (trusted && isSame(trusted)) return trusted
  if (before && isSame(before)) return before
  const acquaintance = meetPolicy(policy, Date.now(), before === undefined)
  return { policy, acquaintance, isFetched, ...(before && { before }) }
}

function sayBroken(): string {
  return trusted ? WORDS.policyBroken + WORDS.policyKept : WORDS.policyBroken
}

function showTrusted(): void {
  if (!trusted) return
  const { policy, isFetched, before } = trusted
  const go = (state: PolicyState) => {
    trusted = state
    showTrusted()
    void judge()
  }
  const onAccept = () => {
    acceptPolicy(policy, Date.now())
    go({ policy, acquaintance: meetPolicy(policy, Date.now(), true), isFetched })
  }
  const onBack = () => {
    policyField.empty()
    if (before) go(before)
  }
  policyPlace.replaceChildren(...showPolicy(trusted, { onAccept, onBack }))
}

function showWaiting(): void {
  const given = paper === undefined ? file && WORDS.waitingPolicy : PAPER_WORDS.waitingPolicy
  const words = trusted ? WORDS.waitingDocument : (given ?? WORDS.waiting)
  answer.replaceChildren(make('div', { class: 'empty' }, drawFigure('nothing here', 'large'), make('p', {}, words)))
  spoken.replaceChildren()
}

async function judge(): Promise<void> {
  const mine = ++turn
  if (!trusted || (!file && paper === undefined)) return showWaiting()
  const { policy } = trusted
  const isInDoubt = isPolicyInDoubt(trusted)
  answer.replaceChildren(make('p', {}, WORDS.checking))
  spoken.replaceChildren(WORDS.checking)
  if (!file) return answerPaper(mine, paper ?? '', trusted)
  const { bytes } = file
  const receipt = findReceipt(bytes)
  if (receipt !== undefined) return answerReceipt(mine, receipt, trusted)
  const judgement = await judgeDocument(file, {
    policy,
    at: Date.now(),
    statusPage: isServed ? INSTANCE_STATUS : undefined,
  })
  if (mine !== turn) return
  spoken.replaceChildren(sayVerdict(judgement))
  answer.replaceChildren(...showJudgement(judgement, isInDoubt))
  showAnswer()
  const growth = isServed && isLogged(judgement) ? await checkGrowth(bytes, policy, INSTANCE_LOG) : undefined
  if (mine !== turn) return
  if (growth) answer.append(...showGrowth(growth))
  answer.append(...offerReceipt(judgement, growth))
}

async function answerPaper(mine: number, text: string, trust: PolicyState): Promise<void> {
  const judgement = await judgePaper(text, { policy: trust.policy, at: Date.now() })
  if (mine !== turn) return
  spoken.replaceChildren(sayPaperVerdict(judgement))
  answer.replaceChildren(...showPaper(judgement, isPolicyInDoubt(trust)))
  showAnswer()
}

async function answerReceipt(mine: number, note: string, trust: PolicyState): Promise<void> {
  const outcome = await judgeReceipt(note, trust.policy)
  if (mine !== turn) return
  spoken.replaceChildren(sayReceipt(outcome))
  answer.replaceChildren(...showReceipt(outcome, trust.policy, isPolicyInDoubt(trust)))
  showAnswer()
}

/** On a phone it stands below the fields. */
function showAnswer(): void {
  if (answer.getBoundingClientRect().top > innerHeight / 2) answer.scrollIntoView()
}

const isLogged = ({ steps }: Judgement): boolean => findStep(steps, 'checkpoint')?.state === 'passed'

function offerReceipt(judgement: Judgement, growth: Growth | undefined): Node[] {
  const save = make('button', { type: 'button', 'aria-describedby': 'receipt-hint' }, WORDS.saveReceipt)
  const name = `receipt-${judgement.file.sha256.slice(0, 12)}.json`
  save.addEventListener('click', () => saveText(formatReceipt(judgement, judgement.at, growth), name))
  return [make('div', { class: 'receipt' }, save, make('p', { id: 'receipt-hint', class: 'hint' }, WORDS.receiptHint))]
}
