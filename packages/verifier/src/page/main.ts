import { ProofError } from '@proofdesk/proof/errors'
import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { findReceipt, judgeReceipt } from '@proofdesk/proof/receipt-file'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { checkGrowth, type Growth } from '../check-growth.ts'
import { findStep, judgeDocument, type Judgement, type NamedFile } from '../judge-document.ts'
import { formatReceipt } from '../receipt.ts'
import { sayVerdict, WORDS } from '../words.ts'
import { make, saveText } from './element.ts'
import { isPolicyLike, makeFileField, readFile, takeDrops } from './file-fields.ts'
import { drawFigure } from './drawing.ts'
import { fetchPolicy, INSTANCE_LOG, isServed } from './instance.ts'
import { acceptPolicy, meetPolicy } from './known-policies.ts'
import { showPolicy, type PolicyState } from './policy-panel.ts'
import { judgePaper } from '../judge-paper.ts'
import { sayPaperVerdict, PAPER_WORDS } from '../paper-words.ts'
import { makePaperDesk } from './paper/paper-desk.ts'
import { showPaper } from './paper/show-paper.ts'
import { INSTANCE_STATUS } from './status-pages.ts'
import { showGrowth, showJudgement } from './result.ts'
import { sayReceipt, showReceipt } from './show-receipt.ts'

let trusted: PolicyState | undefined
let file: NamedFile | undefined
/** What a printed code says, in the place of a file. */
let paper: string | undefined
/** Answers to what was asked before the last question are thrown away. */
let turn = 0

const policyNote = make('p', { class: 'fault', role: 'alert' })
const policyPlace = make('div', { id: 'policy' })
const fileNote = make('p', { class: 'fault', role: 'alert' })
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
  { label: WORDS.documentLabel, hint: WORDS.documentHint, accept: '.pdf,application/pdf,.txt' },
  (files) => void takeFiles(files),
)
const paperDesk = makePaperDesk(takePaper)

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
  if (bytes && !trusted) takePolicy(bytes, true)
}

/** Several at once are told apart by what is in them. */
async function takeFiles(files: File[], areDropped = false): Promise<void> {
  // The dialog was closed without choosing.
  if (files.length === 0) return
  fileNote.replaceChildren()
  try {
    const picture = files.find(({ type }) => type.startsWith('image/'))
    if (picture) void paperDesk.takePicture(picture)
    const read = await Promise.all(files.filter((one) => one !== picture).map(readFile))
    const documents = read.filter((one) => !isPolicyLike(one))
    const policy = read.find(isPolicyLike)
    if (documents.length > 1) fileNote.replaceChildren(WORDS.severalDropped)
    if (documents.length > 0) {
      ;[file, paper] = [documents.at(-1), undefined]
      paperDesk.emptyPicture()
      if (areDropped) documentField.empty()
    }
    if (policy) policyField.empty()
    if (policy) takePolicy(policy.bytes, false)
    else if (documents.length > 0) await judge()
  } catch (error) {
    console.error(error)
    fileNote.replaceChildren(WORDS.unread)
  }
}

/** A code may stand in the address, as it does on paper. */
function takeAddress(): void {
  if (findPaperCode(location.hash) !== undefined) takePaper(location.hash)
}

function takePaper(text: string): void {
  ;[file, paper] = [undefined, text]
  documentField.empty()
  void judge()
}

async function takePolicyFile([chosen]: File[]): Promise<void> {
  if (!chosen) return
  try {
    takePolicy((await readFile(chosen)).bytes, false)
  } catch (error) {
    console.error(error)
    policyNote.replaceChildren(sayBroken())
  }
}

function takePolicy(bytes: NamedFile['bytes'], isFetched: boolean): void {
  policyNote.replaceChildren()
  const policy = readPolicy(bytes)
  if (!policy) return
  trusted = { policy, acquaintance: meetPolicy(policy, Date.now()), isFetched }
  showTrusted()
  void judge()
}

function readPolicy(bytes: NamedFile['bytes']): InstancePolicy | undefined {
  try {
    return parseInstancePolicy(bytes)
  } catch (error) {
    const isNewer = error instanceof ProofError && error.code === 'newer'
    policyNote.replaceChildren(isNewer ? WORDS.policyNewer : sayBroken())
    return undefined
  }
}

function sayBroken(): string {
  return trusted ? WORDS.policyBroken + WORDS.policyKept : WORDS.policyBroken
}

function showTrusted(): void {
  if (!trusted) return
  const { policy, isFetched } = trusted
  const accept = () => {
    acceptPolicy(policy, Date.now())
    trusted = { policy, acquaintance: meetPolicy(policy, Date.now()), isFetched }
    showTrusted()
    void judge()
  }
  policyPlace.replaceChildren(...showPolicy(trusted, accept))
}

function showWaiting(): void {
  const given = paper === undefined ? file && WORDS.waitingPolicy : PAPER_WORDS.waitingPolicy
  const words = trusted ? WORDS.waitingDocument : (given ?? WORDS.waiting)
  answer.replaceChildren(make('div', { class: 'empty' }, drawFigure('nothing here', 'large'), make('p', {}, words)))
}

async function judge(): Promise<void> {
  const mine = ++turn
  if (!trusted || (!file && paper === undefined)) return showWaiting()
  const { policy, acquaintance } = trusted
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
  answer.replaceChildren(...showJudgement(judgement, acquaintance.kind === 'changed'))
  showAnswer()
  const growth = isServed && isLogged(judgement) ? await checkGrowth(bytes, policy, INSTANCE_LOG) : undefined
  if (mine !== turn) return
  if (growth) answer.append(...showGrowth(growth))
  answer.append(...offerReceipt(judgement, growth))
}

async function answerPaper(mine: number, text: string, { policy, acquaintance }: PolicyState): Promise<void> {
  const judgement = await judgePaper(text, { policy, at: Date.now() })
  if (mine !== turn) return
  spoken.replaceChildren(sayPaperVerdict(judgement))
  answer.replaceChildren(...showPaper(judgement, acquaintance.kind === 'changed'))
  showAnswer()
}

async function answerReceipt(mine: number, note: string, { policy, acquaintance }: PolicyState): Promise<void> {
  const outcome = await judgeReceipt(note, policy)
  if (mine !== turn) return
  spoken.replaceChildren(sayReceipt(outcome))
  answer.replaceChildren(...showReceipt(outcome, policy, acquaintance.kind === 'changed'))
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
