import assert from 'node:assert/strict'
import test from 'node:test'
import { isSoundCalculation } from './check-calculation.ts'

/** Each takes one number and gives one, unless it says otherwise. */
const SOUND: [text: string, inputs?: number, outputs?: number][] = [
  ['{}'],
  ['{ % nothing\n }'],
  ['{1 exch sub}'],
  ['{dup 0.5 mul exch 1 index add pop}'],
  ['{dup .5 gt {pop 1} {pop 0} ifelse}'],
  ['{dup 0 lt {neg} if}'],
  ['{true {1} {0} ifelse exch pop}'],
  ['{dup 0 eq 1 index 1 ge or not {0.5 mul} if}', 1, 1],
  ['{2 copy 4 -1 roll 3 1 roll pop pop pop pop}', 4, 2],
  ['{5 copy 5 neg pop pop pop pop pop pop}', 5, 5],
  ['{3 1 roll}', 3, 3],
  // as a gradient that ends somewhere is written: what is beyond is told by a truth
  ['{dup 0 lt {pop false} {dup 1 gt {pop false} {true} ifelse} ifelse {dup} {0 0} ifelse}', 1, 2],
  ['{dup 0 gt {true} {1} ifelse pop}'],
  ['{true {pop 1 2} {pop} ifelse}', 1, 2],
  ['{dup 0 lt not {1 true} {false} ifelse not {3} if exch pop}', 1, 1],
  ['{0 0 roll}'],
  ['{4 mul cvi 3 bitshift 9 idiv}'],
]
for (const [text, inputs = 1, outputs = 1] of SOUND)
  test(`a calculation that leaves what is asked for is sound: ${text}`, () => {
    assert.ok(isSoundCalculation(text, inputs, outputs))
  })

const UNSOUND: [text: string, inputs?: number, outputs?: number][] = [
  [''],
  ['1 exch sub'],
  ['{1 exch sub'],
  ['{1 exch sub}}'],
  ['{} {}'],
  ['{pop}'],
  ['{0.2}'],
  ['{pop pop 1}'],
  ['{0.5 gt}'],
  ['{dup not pop}'],
  ['{1 index}'],
  ['{-1 copy}'],
  ['{dup copy}', 2, 2],
  ['{1.5 1 roll}'],
  ['{9 1 roll}'],
  ['{dup 0 gt {1} if}'],
  ['{dup 0 lt {pop false} {true} ifelse {1} {0} ifelse}'],
  [`{${'dup 0 gt {1} if '.repeat(90)}}`],
  ['{dup 0 gt {pop} {} ifelse}'],
  ['{{1} if}'],
  ['{{1} pop}'],
  ['{1 {2} if}'],
  ['{true 1 add pop}'],
  ['{true 1 eq pop}'],
  ['{true 1 and pop}'],
  ['{1e0 mul}'],
  ['{16#1 mul}'],
  ['{foo}'],
  ['{constructor}'],
  [`${'{'.repeat(64)}${'}'.repeat(64)}`],
  [`{${'dup '.repeat(200)}${'pop '.repeat(200)}}`],
]
for (const [text, inputs = 1, outputs = 1] of UNSOUND)
  test(`a calculation that readers end in their own ways is not sound: ${text.slice(0, 40)}`, () => {
    assert.ok(!isSoundCalculation(text, inputs, outputs))
  })
