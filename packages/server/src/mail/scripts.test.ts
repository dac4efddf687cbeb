import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { enqueue } from '../outbox/outbox.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { plantCollection } from '../testing/collections.ts'
import { rejectionMail } from '../features/reviews/work.ts'

/** What people type, by script: a username, a title, and what a reviewer writes. */
const SAMPLES = {
  Persian: ['سارا.رضایی', 'قرارداد اجارهٔ آپارتمان ۱۴۰۵ (Unit 12)', 'صفحهٔ ۳ امضا ندارد.\nفایل scan_3.pdf را ببینید!'],
  Arabic: ['محمد_٧', 'شهادة الماجستير – 2021', 'الصفحة 3 غير موقعة!'],
  Hebrew: ['דנה-לוי', 'חוזה שכירות "הסופי" 3/4', 'עמוד 3 אינו חתום – see scan_3.pdf'],
  Chinese: ['王小明', '租赁合同(第3版)', '第3页没有签名。'],
  Japanese: ['さくら.タロウ', '賃貸契約書「最終版」', '3ページ目に署名がありません。'],
  Korean: ['김철수', '임대차 계약서', '3쪽에 서명이 없습니다.'],
  Cyrillic: ['Дмитрий.Ёлкин', 'Договор аренды №7', 'Подпишите, пожалуйста.'],
  Greek: ['Ελένη.Παππά', 'Συμβόλαιο ενοικίασης', 'Η σελίδα 3 δεν έχει υπογραφή.'],
  Vietnamese: ['Nguyễn.Thị.Ánh', 'Hợp đồng thuê nhà', 'Trang 3 chưa được ký.'],
  Devanagari: ['यूसुफ़.शर्मा', 'किरायानामा – अंतिम', 'पृष्ठ ३ पर हस्ताक्षर नहीं है।'],
  Emoji: ['ada', '📄 Lease 👩🏽‍⚖️ 🇮🇷', '👎🏽 page 3\n   indented <b>&amp;</b>'],
  Long: ['x'.repeat(150), '🧾'.repeat(100), 'ж'.repeat(2000)],
} as const

const MARKS = /[\u2068\u2069]/g
const ORGANISATION = 'دفتر ثبت ۱۲'

/** As mail programs decode it. */
async function readNewest(dataDir: string): Promise<{ mail: Email; raw: Buffer }> {
  const folder = join(dataDir, 'outbox')
  const name =
    (await readdir(folder))
      .filter((one) => one.endsWith('.eml'))
      .sort()
      .at(-1) ?? ''
  const raw = await readFile(join(folder, name))
  return { mail: await PostalMime.parse(raw), raw }
}

/** The words of an HTML part, by the elements that hold them. */
function unescapeHtml(html: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? '')
}

for (const engine of ENGINES) {
  test(`mails quote what was typed in any script (${engine})`, async (t) => {
    const config = { organisation: ORGANISATION, mailFrom: { name: ORGANISATION, address: 'desk@proof.example' } }
    const server = await startTestServer(t, engine, { config })
    for (const [script, [username, title, words]] of Object.entries(SAMPLES)) {
      await t.test(`8.79 exactly, and apart from the sentence around it: ${script}`, async () => {
        const owner = await server.createUser({ username, email: `${script.toLowerCase()}@example.org` })
        const { id } = await plantCollection(server, owner, 'answered')
        const { db, outbox } = server.deps
        await db.updateTable('collections').set({ title, admin_desc: words }).where('id', '=', id).execute()
        await enqueue(db, server.clock.now(), rejectionMail({ user_id: owner.id, collection_id: id }))
        outbox.ring()
        await server.settle()
        const { mail, raw } = await readNewest(server.config.dataDir)

        assert.equal(mail.subject?.replace(MARKS, ''), `Please revise: ${title}`)
        assert.equal(mail.from?.name, ORGANISATION)
        const plain = mail.text?.replace(MARKS, '').replaceAll('\r\n', '\n') ?? ''
        assert.ok(plain.includes(`Hello ${username},`), plain)
        assert.ok(plain.includes(`“${title}” was reviewed`), plain)
        assert.ok(plain.includes(words.replace(/^/gm, '> ')), plain)

        const html = unescapeHtml(mail.html ?? '')
        assert.ok(html.includes(`Hello <bdi dir="auto">${username}</bdi>,`))
        assert.ok(html.includes(`“<bdi dir="auto">${title}</bdi>” was reviewed`))
        for (const line of words.split('\n'))
          assert.ok(html.includes(`<div dir="auto" style="white-space:pre-wrap">${line}</div>`), line)

        const turns = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(title)
        assert.equal(mail.text?.includes(`“\u2068${title}\u2069” was reviewed`), turns, mail.text)
        assert.ok(mail.text?.includes(`Sent by \u2068${ORGANISATION}\u2069`))

        const head = raw.subarray(0, raw.indexOf('\r\n\r\n')).toString('latin1')
        // RFC 5322 section 2.1.1 and RFC 2047: headers are ASCII, in lines of at most 998 characters, better 78. A name that
        // says what the mail was sent for is longer, and nothing may break it.
        assert.match(head, /^[\x20-\x7e\r\n\t]*$/)
        assert.ok(
          head.split('\r\n').every((line) => line.length <= 78 || /^ <[\w-]+@proof\.example>$/.test(line)),
          head,
        )
        assert.ok(raw.length < 30_000, `${raw.length} bytes`)
      })
    }
  })
}

test('8.79 marks of direction that somebody typed reach no word of ours', async (t) => {
  const server = await startTestServer(t)
  const owner = await server.createUser({ username: 'ada' })
  const { id } = await plantCollection(server, owner, 'answered')
  const { db, outbox } = server.deps
  const title = 'end\u2069\u2069\u202eevil'
  await db.updateTable('collections').set({ title, admin_desc: 'a\u2067b\nc' }).where('id', '=', id).execute()
  await enqueue(db, server.clock.now(), rejectionMail({ user_id: owner.id, collection_id: id }))
  outbox.ring()
  await server.settle()
  const { mail } = await readNewest(server.config.dataDir)
  assert.equal(mail.subject, 'Please revise: \u2068end\u202eevil\u2069')
  assert.ok(mail.text?.includes('“\u2068end\u202eevil\u2069” was reviewed'))
  assert.ok(mail.text?.replaceAll('\r\n', '\n').includes('> a\u2067b\u2069\n> c'))
  assert.ok(mail.html?.includes('“<bdi dir="auto">end\u202eevil</bdi>” was reviewed'))
})
