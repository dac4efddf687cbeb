import { STEP_NAMES, type Step } from '@proofdesk/proof/document-verdict'
import { cleanup, render, screen } from '@testing-library/react'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { canBeCertified } from './can-be-certified.ts'
import type { CheckedDocument } from './check-document.ts'
import { judgeFile, type Judged } from './judge-file.ts'
import { JudgedFile } from './judged-file.tsx'

function show(judged: Judged) {
  cleanup()
  const Page = createRoutesStub([{ path: '/', Component: () => <JudgedFile judged={judged} /> }])
  render(<Page />)
}

/** A genuine certified PDF alone, of whose revocation this is known. */
function makeJudged(revocation: Omit<Step, 'name'>, independentWitnesses: string[] = []): Judged {
  const fields = { pid: '26P5-99BN-YACQ-FB5X-=', sub: 'ada' }
  const steps = STEP_NAMES.map((name): Step => {
    if (name === 'revocation') return { name, ...revocation }
    if (name === 'witnesses') return { name, state: 'unknown', code: 'not_witnessed', details: { cosignatures: [] } }
    return { name, state: 'unknown', code: 'not_reached', details: {} }
  })
  const checked = {
    report: { verdict: 'valid', remarks: [], steps, fields },
    policy: { organisation: 'ACME', fingerprint: 'f00d', independentWitnesses },
  }
  return { kind: 'file', name: 'degree.pdf', checked: checked as unknown as CheckedDocument, original: undefined }
}

test('14.39 of a certified PDF alone the heading says of a revocation what its step says, and no more', () => {
  show(makeJudged({ state: 'passed', details: { asOf: 1_790_000_000 } }))
  const time = screen.getByText(/^It was not revoked, as of /).textContent?.replace('It was not revoked, as of ', '')
  expect(screen.getByText(/^It was issued by ACME/).textContent).toBe(
    `It was issued by ACME, and nothing in it was changed. As of ${time} it was not revoked, by the public list. How it is now, its Proof ID tells.`,
  )
  for (const code of ['no_status', 'status_silent', 'status_behind'] as const) {
    show(makeJudged({ state: 'unknown', code, details: { asOf: 1_790_000_000 } }))
    expect(screen.queryByText(/^It was not revoked/)).toBeNull()
    expect(screen.getByText(/^It was issued by ACME/).textContent).toMatch(
      /Whether it was revoked since, its Proof ID tells\.$/,
    )
  }
})

test('the figure of a file that is no longer in force is drawn in the colour of lines, and not as a seal', () => {
  const genuine = makeJudged({ state: 'passed', details: { asOf: 1_790_000_000 } })
  for (const verdict of ['valid', 'expired', 'revoked'] as const) {
    const checked = { ...genuine.checked, report: { ...genuine.checked!.report, verdict } }
    show({ ...genuine, checked: checked as unknown as CheckedDocument })
    const figure = document.querySelector('svg.size-40')
    expect(figure?.classList.contains('text-seal')).toBe(verdict === 'valid')
    expect(figure?.classList.contains('text-line-strong')).toBe(verdict !== 'valid')
  }
})

test('16.24 of a picture in which there is no proof the page says where a printed page is read', () => {
  const genuine = makeJudged({ state: 'passed', details: { asOf: 1_790_000_000 } })
  const checked = {
    ...genuine.checked!,
    report: { ...genuine.checked!.report, verdict: 'not_found', fields: undefined },
  }
  const nothing = { ...genuine, name: 'page.jpg', checked: checked as unknown as CheckedDocument }
  const foreign = { ...nothing, checked: undefined, original: 0 }
  for (const judged of [nothing, foreign]) {
    show({ ...judged, isPicture: true })
    expect(screen.getByRole('link', { name: 'Read a printed page' }).getAttribute('href')).toBe('/verify')
    show({ ...judged, isPicture: false })
    expect(screen.queryByRole('link', { name: 'Read a printed page' })).toBeNull()
  }
  show({ ...foreign, original: 1, isPicture: true })
  expect(screen.queryByRole('link', { name: 'Read a printed page' })).toBeNull()
})

test('14.86 of a certified PDF alone nothing is green where witnesses or a list of today should confirm it and do not', () => {
  const asOf = { asOf: 1_790_000_000 }
  for (const [judged, said] of [
    [
      makeJudged({ state: 'unknown', code: 'status_unwitnessed', details: asOf }),
      /was not seen by the witnesses: others/,
    ],
    [makeJudged({ state: 'unknown', code: 'status_ahead', details: asOf }), /is dated in the future/],
    [makeJudged({ state: 'passed', details: asOf }, ['witness.example/w1']), /No independent witness has signed it\.$/],
  ] as const) {
    show(judged)
    const heading = screen.getByRole('heading', { name: 'This certified PDF is genuine' })
    expect(heading.querySelector('.text-ok')).toBeNull()
    expect(heading.querySelector('.text-warn')).not.toBeNull()
    expect(screen.getByText(/^It was issued by ACME/).textContent).toMatch(said)
  }
  // Nobody has named a witness: none is missed.
  show(makeJudged({ state: 'passed', details: asOf }))
  expect(
    screen.getByRole('heading', { name: 'This certified PDF is genuine' }).querySelector('.text-ok'),
  ).not.toBeNull()
})

test('14.38 a file that is neither PDF nor picture is told as no file that is sealed, also where it speaks of proofs', async () => {
  const page = '<!doctype html><script>const head = `c2sp.org/tlog-proof@v1\nextra AAAA\n`</script>'
  for (const [name, text] of [
    ['verify.html', page],
    ['degree.pdf', 'PK\u0003\u0004 of an office'],
  ] as const) {
    const judged = await judgeFile(new File([text], name), undefined)
    if (judged.kind !== 'file') throw new Error(judged.title)
    show(judged)
    screen.getByRole('heading', { name: 'Not a file that Proofdesk seals' })
    expect(screen.queryByText(/altered/)).toBeNull()
  }
})

test('a file is one that can be certified by how it begins, whatever it is called', async () => {
  const begins = (...bytes: (number[] | string)[]) =>
    canBeCertified(
      new File(
        bytes.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part))),
        'page.html',
      ),
    )
  expect(await begins('%PDF-1.7\n')).toBe(true)
  expect(await begins('a mail before it\n%PDF-1.7\n')).toBe(true)
  expect(await begins([0xff, 0xd8, 0xff, 0xe0])).toBe(true)
  expect(await begins([0x89], 'PNG\r\n', [0x1a], '\n')).toBe(true)
  for (const text of ['', 'text', `${'x'.repeat(1024)}%PDF-1.7`, '<svg xmlns="http://www.w3.org/2000/svg"/>'])
    expect(await begins(text)).toBe(false)
})
