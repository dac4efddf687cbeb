import { formatPrintedTime } from '@proofdesk/proof/paper/printed-time'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTime } from './words.ts'

test('a time has its clock also in a year of more than four digits', () => {
  assert.equal(formatTime(0), '1970-01-01 00:00:00 UTC')
  assert.equal(formatTime(253_402_300_799), '9999-12-31 23:59:59 UTC')
  assert.equal(formatTime(253_402_308_245), '+010000-01-01 02:04:05 UTC')
  assert.equal(formatPrintedTime(253_402_300_799_000), '31 December 9999, 23:59 UTC')
  assert.equal(formatPrintedTime(253_402_308_245_000), '1 January 10000, 02:04 UTC')
  assert.equal(formatPrintedTime(8_640_000_000_000_000), '13 September 275760, 00:00 UTC')
})
