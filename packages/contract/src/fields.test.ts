import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registration } from './auth.ts'
import { ContentFields, ContentTitleFields } from './contents.ts'
import { ChangedTopics } from './live.ts'
import {
  Birthdate,
  Email,
  GivenEmail,
  filledLine,
  filledText,
  FlagQuery,
  IdQuery,
  NewPassword,
  PhoneNumber,
  typedText,
  Username,
} from './fields.ts'
import * as limits from './limits.ts'
import { sayEnglish, sayIssue } from './messages.ts'
import { OrderingQuery, PageQuery, totalPages } from './paging.ts'
import { approveCollection, ExpireTime, readTime, rejectCollection } from './reviews.ts'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, values: unknown[]) => {
  for (const value of values) assert.equal(schema.safeParse(value).success, true, JSON.stringify(value))
}
const refuses = (schema: { safeParse(value: unknown): { success: boolean } }, values: unknown[]) => {
  for (const value of values) assert.equal(schema.safeParse(value).success, false, JSON.stringify(value))
}

test('5.2 9.1 a password has at least 6 characters with an uppercase letter, a digit and one of !@#$%^&*', () => {
  accepts(NewPassword, ['Abcd1!', 'A1*aaaaa', 'ÜA9&zz'])
  refuses(NewPassword, ['Abc1!', 'A1!x😀', 'abcd1!', 'Abcde!', 'Abcde1', 'Abcd1?', '', null, 'A1!'.repeat(100)])
})

test('5.3 the password message is the one of the specification', () => {
  assert.equal(
    sayIssue(NewPassword.safeParse('short').error!.issues[0]!.message),
    'Password must be at least 6 characters and include an uppercase letter, a digit, and a special character (!@#$%^&*).',
  )
})

test('usernames hold letters, digits and @ . + - _', () => {
  accepts(Username, ['ada', 'Ada.Lovelace+1@home_-', 'سارا', '李雷', 'José'])
  refuses(Username, ['', '  ', 'a b', 'a/b', 'a<b', 'x'.repeat(151), 'a\u0000', 'a\u202eb', undefined])
})

test('an e-mail address is one address and nothing else', () => {
  accepts(Email, ['a@b.test', 'Ada+x@localhost', ' ada@b.test '])
  refuses(Email, [
    '',
    'ada',
    'a@b@c',
    'a b@c.d',
    'a@b.test\r\nBcc: x@y.z',
    'Ada <a@b.test>',
    'a@b,c@d',
    `${'x'.repeat(251)}@b.c`,
  ])
})

test('9.36 an e-mail address shows every one of its characters, each in its place', () => {
  const hidden = [
    '\u0007',
    '\u0085',
    '\u00ad',
    '\u200b',
    '\u200c',
    '\u200f',
    '\u2028',
    '\u202e',
    '\u2066',
    '\ufe0f',
    '\ufeff',
  ]
  for (const one of hidden) refuses(Email, [`a${one}b@c.test`, `a@b${one}c.test`])
  accepts(Email, ['josé@b.test', 'jens.groß@straße.example', 'سارا@b.test', '李雷@例子.测试', 'क्षा@b.test'])
})

test('an address that somebody has kept under a looser rule is still found by it', () => {
  accepts(GivenEmail, ['a\u202eb@c.test', 'a\u200bb@c.test', ' ada@b.test '])
  refuses(GivenEmail, ['', 'ada', 'a b@c.d', 'a@b.test\r\nBcc: x@y.z', 'a\u0000b@c.test', `${'x'.repeat(251)}@b.c`])
  assert.equal(GivenEmail.parse('Jose\u0301@b.test'), 'José@b.test')
})

test('phone numbers are read leniently', () => {
  accepts(PhoneNumber, [
    '+44 20 7946 0958',
    '(030) 123-456',
    '112',
    '+1 555 0100 x12',
    '+33\u202f1\u00a023',
    '۰۹۱۲ ۳۴۵ ۶۷۸۹',
    '０９０-１２３４',
    '+44 20 7946 0000 ext. 12',
  ])
  refuses(PhoneNumber, ['', '+44\n20', '+44\t20', '+44\u202820', 'call me', '+', '1'.repeat(40), '<script>1'])
})

test('3.5 a birthdate that is null, missing or empty means none', () => {
  for (const none of [null, undefined, '']) assert.equal(Birthdate.parse(none), null)
  assert.equal(Birthdate.parse('1990-02-28'), '1990-02-28')
  refuses(Birthdate, ['1990-02-30', '28.02.1990', 7, '0000-01-01'])
})

test('5.1 registration requires every field but the birthdate', () => {
  const full = {
    email: 'a@b.test',
    first_name: 'Ada',
    last_name: 'L',
    username: 'ada',
    password: 'Abcd1!',
    phone_number: '1',
  }
  accepts(Registration, [full])
  for (const field of Object.keys(full))
    refuses(Registration, [
      { ...full, [field]: '' },
      { ...full, [field]: undefined },
    ])
})

test('text that a database cannot store is refused', () => {
  refuses(typedText, ['a\u0000b', '\ud800', 7, null])
  assert.equal(typedText.parse('  ok\n'), 'ok')
})

test('ids run from 1 to 2^53-1', () => {
  accepts(IdQuery, ['1', '9007199254740991'])
  refuses(IdQuery, [
    '0',
    '-1',
    '1.5',
    '01',
    '1e3',
    '',
    'abc',
    '9007199254740992',
    '99999999999999999',
    undefined,
    ['1', '2'],
  ])
})

test('a flag that is not a boolean is refused', () => {
  assert.equal(FlagQuery.parse('true'), true)
  assert.equal(FlagQuery.parse('false'), false)
  refuses(FlagQuery, ['1', 'yes', '', 'True'])
})

test('a page below 1 is refused, a missing one is the first', () => {
  assert.equal(PageQuery.parse(undefined), 1)
  assert.equal(PageQuery.parse('3'), 3)
  refuses(PageQuery, ['0', '-2', 'x', '1.5', '', '-99999999999999999999'])
  // Past the end of every list, which is no fault of the number.
  accepts(PageQuery, ['9007199254740993', '99999999999999999999', '9'.repeat(400)])
})

test('9.6 total pages are the count by ten, rounded up', () => {
  assert.deepEqual(
    [0, 1, 10, 11, 100].map((n) => totalPages(n, limits.PAGE_SIZE)),
    [1, 1, 1, 2, 10],
  )
})

test('a list is ordered by the named fields only', () => {
  const ordering = OrderingQuery(['title', 'created_at'])
  accepts(ordering, [undefined, 'title', '-title', '-created_at'])
  refuses(ordering, ['password', '--title', 'title;drop table users', ''])
})

test('an expiry is read with Z, with an offset, or bare as UTC, with or without seconds', () => {
  const at = Date.UTC(2027, 0, 31, 18, 0)
  for (const text of [
    '2027-01-31T18:00Z',
    '2027-01-31T18:00:00Z',
    '2027-01-31T18:00',
    '2027-01-31T18:00:00.000Z',
    '2027-01-31T20:30+02:30',
    '2027-01-31T20:30+0230',
    '2027-01-31T13:00:00-05',
  ])
    assert.equal(readTime(text), at, text)
  for (const text of [
    '2027-02-31T18:00',
    '2027-13-01T00:00',
    '2027-01-31',
    '31.01.2027 18:00',
    '2027-01-31T25:00Z',
    '2027-01-31T18:00+99:00',
    '2027-01-31T18:00+99',
    '2027-01-31T18:00+020',
    '',
  ])
    assert.equal(readTime(text), undefined, text)
})

test('an expiry is exact to the millisecond and lies before the year 10000', () => {
  assert.equal(readTime(' 2027-01-31T18:00:59.1239Z '), Date.UTC(2027, 0, 31, 18, 0, 59, 123))
  const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  assert.equal(readTime('9999-12-31T23:59:59.999Z'), last)
  assert.equal(readTime('9999-12-31T22:59:59.999-01:00'), last)
  for (const text of ['9999-12-31T23:00:00-01:00', '9999-12-31T23:59:59.999-00:01', '10000-01-01T00:00Z'])
    assert.equal(readTime(text), undefined, text)
})

test('5.24 a missing, null or empty expiry means never', () => {
  for (const none of [undefined, null, '']) assert.equal(ExpireTime.parse(none), null)
  refuses(ExpireTime, ['soon', 5, {}, 'x'.repeat(100)])
})

test('an approval needs a description', () => {
  refuses(approveCollection.body, [{ admin_desc: ' ' }, {}, { admin_desc: 'x'.repeat(2001) }])
  accepts(approveCollection.body, [{ admin_desc: 'Checked', expire_time: null }, { admin_desc: 'Checked' }])
})

test('rejecting with exactly the default text is refused', () => {
  refuses(rejectCollection.body, [
    { admin_desc: limits.DEFAULT_ADMIN_DESC },
    { admin_desc: ` ${limits.DEFAULT_ADMIN_DESC} ` },
  ])
})

test('5.16 5.17 9.7 for TYPE1 and TYPE2 the title equals the type, for OTHER it is required with at most 20 characters', () => {
  assert.equal(ContentFields.parse({ title_type: 'TYPE2', title: 'ignored', collection: '1' }).title, 'TYPE2')
  assert.equal(ContentFields.parse({ collection: '1' }).title, 'TYPE1')
  assert.equal(ContentFields.parse({ title_type: 'OTHER', title: 'x'.repeat(20), collection: '1' }).title.length, 20)
  assert.equal(ContentFields.safeParse({ title_type: 'OTHER', title: '🧾'.repeat(20), collection: '1' }).success, true)
  refuses(ContentFields, [
    { title_type: 'OTHER', collection: '1' },
    { title_type: 'OTHER', title: ' ', collection: '1' },
    { title_type: 'OTHER', title: 'x'.repeat(21), collection: '1' },
    { title_type: 'TYPE3', title: 'x', collection: '1' },
    { title_type: 'TYPE1' },
  ])
})

test('limits named in sentences are the limits that are checked', () => {
  const named: [Parameters<typeof sayEnglish>[0], number][] = [
    ['collection_title_too_long', limits.COLLECTION_TITLE_MAX_LENGTH],
    ['content_title_too_long', limits.CONTENT_TITLE_MAX_LENGTH],
    ['comment_too_long', limits.COMMENT_MAX_LENGTH],
    ['description_too_long', limits.DESCRIPTION_MAX_LENGTH],
    ['username_too_long', limits.USERNAME_MAX_LENGTH],
    ['name_too_long', limits.NAME_MAX_LENGTH],
    ['password_too_long', limits.PASSWORD_MAX_LENGTH],
    ['collection_full', limits.COLLECTION_MAX_FILES],
    ['collection_too_many_bytes', limits.COLLECTION_MAX_BYTES / 1024 / 1024],
    ['collection_too_many_pages', limits.COLLECTION_MAX_PAGES],
    ['collection_too_many_pictured', limits.COLLECTION_MAX_PICTURED_PAGES],
    ['comments_full', limits.COMMENTS_MAX_PER_COLLECTION],
  ]
  for (const [key, limit] of named)
    assert.match(sayEnglish(key), new RegExp(`\\b${limit.toLocaleString('en')}\\b`), key)
})

test('text of which nothing can be seen is blank', () => {
  const text = filledText('comment_empty')
  for (const blank of [
    '',
    ' ',
    '\n',
    '\u200b',
    '\u200b \u2060',
    '\u202e\u2066',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\ufe0f',
  ])
    assert.equal(text.safeParse(blank).error?.issues[0]?.message, 'comment_empty', JSON.stringify(blank))
  accepts(text, ['a', '.', '\u{1f468}\u200d\u{1f469}', '\u0645\u06cc\u200c\u062f', '\u00a0x'])
  const other = ContentTitleFields.safeParse({ title_type: 'OTHER', title: '\u200b' })
  assert.equal(other.error?.issues[0]?.message, 'content_title_required')
})

test('what is shown on one line holds no line end, control character or override of direction', () => {
  const line = filledLine('title_required')
  accepts(line, ['Lost seal', '\u0645\u0647\u0631 \u06af\u0645\u200c\u0634\u062f\u0647', 'a\u00A0b'])
  // They turn brackets and signs beside letters, never letters.
  accepts(line, ['\u05d0 C++\u200e', '(\u05d0)\u200f', '\u061c\u0639'])
  for (const text of ['a\nb', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u202Ab', 'a\u202Eb', 'a\u2066b', 'a\u2069b'])
    assert.equal(line.safeParse(text).error?.issues[0]?.message, 'text_one_line', JSON.stringify(text))
  assert.equal(line.safeParse(' \n ').error?.issues[0]?.message, 'title_required')
})

test('a birthdate lies in 1850 or later', () => {
  accepts(Birthdate, ['1850-01-01'])
  refuses(Birthdate, ['1849-12-31'])
})

test('topics of a newer server are left out', () => {
  assert.deepEqual(ChangedTopics.parse(['tickets', 'news', 'collections']), ['collections', 'tickets'])
  refuses(ChangedTopics, ['tickets', [1], null])
})

test('a file keeps or changes its title by the same rule', () => {
  assert.equal(ContentTitleFields.parse({ title_type: 'TYPE1' }).title, 'TYPE1')
  assert.equal(ContentTitleFields.parse({ title_type: 'OTHER', title: ' Diploma ' }).title, 'Diploma')
  refuses(ContentTitleFields, [{}, { title: 'x' }, { title_type: 'OTHER' }, { title_type: 'OTHER', title: ' ' }])
})
