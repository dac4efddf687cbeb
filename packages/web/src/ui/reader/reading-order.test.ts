import { expect, test } from 'vitest'
import { RIGHT_TO_LEFT_PAGE } from '../../testing/right-to-left-page.ts'
import { findOnPage, foldPage } from './find-text.ts'
import type { TextRun } from './reading-order.ts'

const page = foldPage(RIGHT_TO_LEFT_PAGE)

function countFound(query: string): number {
  return findOnPage(page, RIGHT_TO_LEFT_PAGE, query, 0).length
}

test.each([
  ['قرارداد', 2],
  ['اجاره', 2],
  ['قرارداد اجاره', 2],
  ['این سند', 1],
  ['این سند در تاریخ', 1],
  ['بسته شد.', 1],
  ['آقای', 1],
  ['اقای', 1],
  ['می‌شود', 1],
  ['می شود', 0],
  ['الإيجار', 1],
  ['الايجار رقم', 1],
  ['שכירות', 1],
  ['בתל אביב', 1],
  ['واژه‌ای که در خط‌های دیگر است', 1],
])('2.144 %j is found %d times in lines that Chromium has printed as they look', (query, times) => {
  expect(countFound(query)).toBe(times)
})

test.each([
  ['۱۴۰۳/۰۵/۱۲'],
  ['1403/05/12'],
  ['در تاریخ ۱۴۰۳/۰۵/۱۲ میان'],
  ['12,500'],
  ['مبلغ 12,500 ریال (ده هزار) پرداخت'],
  ['آقای Peter Smith و خانم'],
  ['The contract قرارداد اجاره, signed in 2024.'],
  ['رقم 4521'],
  ['מספר 77 בתל'],
])('2.144 %j goes over words, numbers and brackets of both directions', (query) => {
  expect(countFound(query)).toBe(1)
})

test('2.144 what is marked of a word stands side by side on its line, from its first letter to its last', () => {
  const [heading] = findOnPage(page, RIGHT_TO_LEFT_PAGE, 'اجاره', 0)
  const places = heading?.parts.map(({ run }) => RIGHT_TO_LEFT_PAGE[run]?.transform?.[4])
  expect(places).toEqual([563.3, 555.9, 552.3, 540.2])
  expect(heading?.parts[0]).toEqual({ run: 3, start: 'ارداد '.length, end: 'ارداد ا'.length })
})

const place = (str: string, left: number, width: number, baseline = 700): TextRun => ({
  str,
  dir: /[a-z\d]/iu.test(str) ? 'ltr' : 'rtl',
  transform: [10, 0, 0, 10, left, baseline],
  width,
  height: 10,
  hasEOL: false,
})

test.each<[string, TextRun[], string]>([
  ['words written from the right', [place('حسن', 80, 20), place('وعلي', 50, 25)], 'حسن وعلی'],
  [
    'bold letters drawn twice',
    [place('رت', 60, 10), place('رت', 60.2, 10), place('دف', 70, 10), place('دف', 70.2, 10)],
    'دفرت',
  ],
  [
    'numbers side by side',
    [place('34', 50, 10), place(' ', 60, 3), place('12', 63, 10), place('عدد', 76, 15)],
    'عدد 12 34',
  ],
  [
    'a number after English',
    [place('ب', 10, 5), place('Room', 20, 20), place(' ', 40, 3), place('12', 43, 8)],
    'ب room 12',
  ],
  ['English lines', [place('b', 80, 10), place('a', 10, 10)], 'ba'],
  ['two lines', [place('دو', 50, 20, 700), place('سه', 90, 20, 680), place('چهار', 60, 29, 680)], 'دوسهچهار'],
  ['text turned by a quarter', [{ ...place('اب', 5, 9), transform: [0, 10, -10, 0, 5, 9] }, place('c', 1, 2)], 'ابc'],
])('2.144 %s are read in their order', (_, runs, expected) => {
  expect(foldPage(runs).folded).toBe(expected)
})
