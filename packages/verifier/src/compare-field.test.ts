import { decodePaperClaims, encodePaperClaims, type PaperFacts } from '@proofdesk/proof/paper/paper-claims'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPaperForPeople } from './cli/format-paper.ts'
import { compareField } from './compare-field.ts'
import { listLimits, sayClaim } from './paper-words.ts'

const FACTS: PaperFacts = {
  proofId: '7Q3K-9ZB4-M0XT-C8VN-K',
  username: 'mallory.of.the.long.name.'.repeat(3),
  title: 'Master of Science in Film: how a guest student saw it',
  organisation: 'Example University',
  approvedAt: 1_767_323_045,
  expiresAt: null,
  pages: 3,
  filesRoot: 'ab'.repeat(32),
  reviewDocument: 'cd'.repeat(32),
}
const cut = decodePaperClaims(encodePaperClaims(FACTS))
const whole = decodePaperClaims(encodePaperClaims({ ...FACTS, username: 'mallory' }))

test('16.22 of a title whose beginning alone is in the code nothing says that it is the same', () => {
  assert.deepEqual([cut.title, whole.isTitleCut], ['Master of Science in Fil', false])
  for (const printed of [FACTS.title, 'Master of Science in Film, with distinction', 'Master of Science in Fil'])
    assert.equal(compareField('title', cut, printed), 'beginning', printed)
  assert.equal(compareField('title', cut, 'Master of Arts'), 'differs')
  assert.equal(compareField('title', cut, ' '), undefined)
  assert.equal(compareField('organisation', cut, 'Example University'), 'same')
  assert.equal(compareField('title', whole, FACTS.title), 'same')
  assert.equal(compareField('title', whole, 'Master of Science in Film, with distinction'), 'differs')
  const office = decodePaperClaims(encodePaperClaims({ ...FACTS, organisation: 'Office of many names '.repeat(3) }))
  assert.equal(compareField('organisation', office, `${office.organisation} and more`), 'beginning')
})

test('16.22 what is cut is told beside it, and among what no paper can say', () => {
  assert.equal(sayClaim('title', cut), 'Master of Science in Fil… (only the beginning is in the code)')
  assert.match(listLimits(cut)[0]!, /only the beginning is in the code: Title\. .*certified PDF.*verification page/)
  assert.equal(sayClaim('title', whole), FACTS.title)
  const policy = { fingerprint: 'f00d', organisation: 'Example University', hasPaperKeys: true }
  const common = { verdict: 'valid', code: null, keyId: '00', text: '2KC', at: 0, policy } as const
  const [said, saidWhole] = [cut, whole].map((claims) => formatPaperForPeople({ ...common, claims }))
  assert.match(said!, / {2}Title: Master of Science in Fil… \(only the beginning is in the code\)\n/)
  assert.match(said!, / {2}- How it goes on where only the beginning is in the code: Title\./)
  assert.doesNotMatch(saidWhole!, /beginning/)
  assert.equal(listLimits(whole).length, listLimits(cut).length - 1)
})
