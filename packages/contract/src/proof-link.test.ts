import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProofLink, toProofLink, toVerifyUrl } from './proof-link.ts'

test('a QR link opens the verification page with both fields, in the fragment', () => {
  const link = toProofLink('https://proof.example/', '0123-4567-89AB-CDEF-*', 'سارا+1@x')
  assert.match(link, /^https:\/\/proof\.example\/service-content#/)
  assert.equal(new URL(link).search, '')
  assert.deepEqual(readProofLink(new URL(link).hash), { proofId: '0123-4567-89AB-CDEF-*', username: 'سارا+1@x' })
})

test('a fragment without fields fills nothing in', () => {
  assert.deepEqual(readProofLink('#nonsense'), { proofId: '', username: '' })
  assert.deepEqual(readProofLink(''), { proofId: '', username: '' })
})

test('an address of the installation with slashes at its end gives the same link', () => {
  assert.equal(toVerifyUrl('https://proof.example/at//'), 'https://proof.example/at/service-content')
  assert.equal(toVerifyUrl('https://proof.example/at'), 'https://proof.example/at/service-content')
})
