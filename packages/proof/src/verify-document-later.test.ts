import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeStatusBits } from './log/status-page.ts'
import {
  addStatusPage,
  certify,
  INDEX,
  policy,
  showStatusPage,
  stateChange,
  TIME,
} from './testing/certified-example.ts'
import { expectVerdict } from './testing/expect-verdict.ts'
import { verifyDocument } from './verify-document.ts'

const NOW = (TIME + 10_000) * 1000
const DAY = 86_400
const { file } = await certify()

const verify = (statusPage: string, now = NOW) => verifyDocument(file, { policy, now, statusPage })

test('14.91 a status page that was dated ahead, logged before a revocation, and is shown under a later head, says that it is revoked', async () => {
  const { log } = await certify()
  const status = { page: 0, size: log.size, time: TIME + DAY, bits: writeStatusBits(0, []) }
  await addStatusPage(log, [], status)
  await log.append([stateChange('revoke', INDEX)])
  const seenAt = TIME + DAY + 3
  const page = await showStatusPage(log, status, { seenAt })
  await expectVerdict(verify(page, (seenAt + 60) * 1000), 'revoked', { revocation: 'revoked' })
})

test('14.91 a status page of today that speaks of a smaller tree, from before a revocation, says that it is revoked', async () => {
  const { log } = await certify()
  const { size } = log
  await log.append([stateChange('revoke', INDEX, TIME + 4000)])
  await expectVerdict(verify(await addStatusPage(log, [], { size })), 'revoked', { revocation: 'revoked' })
})
