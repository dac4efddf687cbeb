import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'
import type { PaperJudgement } from '../../judge-paper.ts'
import { formatPaperReceipt } from '../../paper-receipt.ts'
import { explainPaper, listHashes, listLimits, PAPER_WORDS, sayPaperVerdict } from '../../paper-words.ts'
import { formatTime, WORDS } from '../../words.ts'
import { drawFigure } from '../drawing.ts'
import { make, makeFacts, saveText } from '../element.ts'
import { isServed } from '../instance.ts'
import { makeCompareForm, type CompareForm } from './compare-form.ts'

/** The whole answer about one printed code. @param isInDoubt the policy changed, and nobody has compared it yet */
export function showPaper(judgement: PaperJudgement, isInDoubt: boolean): Node[] {
  const { claims, text, at } = judgement
  const form = claims ? makeCompareForm(claims) : undefined
  return [
    make(
      'div',
      { class: `band ${chooseColour(judgement)}` },
      make(
        'div',
        {},
        make('h2', { id: 'verdict' }, sayPaperVerdict(judgement)),
        make('p', {}, explainPaper(judgement)),
      ),
      claims ? drawFigure(claims.proofId, 'large') : undefined,
    ),
    ...(isInDoubt ? [make('p', { class: 'alarm' }, WORDS.policyDoubt)] : []),
    ...(claims && form ? [form.element, ...showLimits(claims), makeFacts(listHashes(claims))] : []),
    make('h3', {}, PAPER_WORDS.code),
    make('pre', { tabindex: '0', 'aria-label': PAPER_WORDS.code }, text ?? WORDS.none),
    makeFacts([[WORDS.checkedAt, WORDS.byClock(formatTime(Math.floor(at / 1000)))]]),
    ...(claims && isServed && text !== null ? [offerLookUp(text)] : []),
    offerReceipt(judgement, form),
  ]
}

function chooseColour({ verdict }: PaperJudgement): string {
  if (verdict === 'altered') return 'bad'
  return verdict === 'unavailable' || verdict === 'newer' ? 'silent' : 'reserved'
}

function showLimits(claims: PaperClaims): Node[] {
  const limits = listLimits(claims).map((one) => make('li', {}, one))
  return [make('h3', {}, PAPER_WORDS.limitsTitle), make('ul', { class: 'remarks' }, ...limits)]
}

/** Only of the instance that served this page: the address on the paper is not signed. */
function offerLookUp(text: string): HTMLElement {
  const link = make('a', { href: `/service-content#${text}` }, PAPER_WORDS.lookUp)
  return make('p', {}, link, '. ', PAPER_WORDS.lookUpHint)
}

function offerReceipt(judgement: PaperJudgement, form: CompareForm | undefined): HTMLElement {
  const save = make('button', { type: 'button', 'aria-describedby': 'receipt-hint' }, WORDS.saveReceipt)
  const name = `receipt-${judgement.claims?.proofId ?? 'paper'}.json`
  save.addEventListener('click', () =>
    saveText(formatPaperReceipt(judgement, form?.listCompared() ?? [], judgement.at), name),
  )
  return make('div', { class: 'receipt' }, save, make('p', { id: 'receipt-hint', class: 'hint' }, WORDS.receiptHint))
}
