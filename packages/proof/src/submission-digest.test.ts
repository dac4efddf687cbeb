import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { digestSubmission, type SubmissionFacts } from './submission-digest.ts'

const SENT: SubmissionFacts = {
  number: 2,
  title: 'Lease “14 Rue Cler”',
  username: 'ada',
  files: [
    { title: 'Lease', fileName: 'lease.pdf', type: 'PDF', sha256: 'a1'.repeat(32) },
    { title: 'دانشنامه', fileName: 'scan.jpg', type: 'JPEG', sha256: 'b2'.repeat(32) },
  ],
}

test('a submission’s digest is the SHA-256 of its facts as JSON', () => {
  const json =
    '["proofdesk submission v1",2,"Lease “14 Rue Cler”","ada",' +
    `[["Lease","lease.pdf","PDF","${'a1'.repeat(32)}"],["دانشنامه","scan.jpg","JPEG","${'b2'.repeat(32)}"]]]`
  assert.equal(digestSubmission(SENT), createHash('sha256').update(json).digest('hex'))
})

test('a submission with a review document has a digest over that as well', () => {
  const json =
    '["proofdesk submission v2",2,"Lease “14 Rue Cler”","ada",' +
    `[["Lease","lease.pdf","PDF","${'a1'.repeat(32)}"],["دانشنامه","scan.jpg","JPEG","${'b2'.repeat(32)}"]],` +
    `"${'d4'.repeat(32)}"]`
  const digest = digestSubmission({ ...SENT, document: 'd4'.repeat(32) })
  assert.equal(digest, createHash('sha256').update(json).digest('hex'))
})

test('every fact a reviewer saw changes the digest, and so does the order of the files', () => {
  const [lease, scan] = SENT.files as [SubmissionFacts['files'][0], SubmissionFacts['files'][0]]
  const others: SubmissionFacts[] = [
    { ...SENT, number: 3 },
    { ...SENT, title: 'Lease' },
    { ...SENT, username: 'adb' },
    { ...SENT, files: [scan, lease] },
    { ...SENT, files: [lease] },
    { ...SENT, files: [lease, scan, scan] },
    { ...SENT, files: [{ ...lease, title: 'Leas' }, scan] },
    { ...SENT, files: [{ ...lease, fileName: 'Lease.pdf' }, scan] },
    { ...SENT, files: [{ ...lease, type: 'PNG' }, scan] },
    { ...SENT, files: [lease, { ...scan, sha256: 'b3'.repeat(32) }] },
    { ...SENT, document: null },
    { ...SENT, document: 'd4'.repeat(32) },
    { ...SENT, document: 'd5'.repeat(32) },
  ]
  const digests = [SENT, ...others].map(digestSubmission)
  assert.equal(new Set(digests).size, digests.length)
})
