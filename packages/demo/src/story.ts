import { readFile } from 'node:fs/promises'
import type { Stage } from './stage.ts'

/** Collections that wait to be approved, by what they show. */
export interface Sent {
  diploma: number
  lease: number
  transcript: number
  studio: number
  permit: number
}

interface Paper {
  /** At most 20 characters; the specification's first type when absent. */
  title?: string
  /** As its owner calls the file. */
  name: string
  /** Name in `packages/demo/papers`. */
  file: string
}

/** What happened up to yesterday: people gather papers, send them, talk about them, and some are sent back. */
export async function playPastWeeks(stage: Stage): Promise<Sent> {
  async function gather(username: string, title: string, papers: Paper[]): Promise<number> {
    const owner = await stage.as(username)
    const id = await owner.make('/collections/', { title })
    for (const { title: paperTitle, name, file } of papers) {
      const kind = paperTitle === undefined ? { title_type: 'TYPE1' } : { title_type: 'OTHER', title: paperTitle }
      const bytes = await readFile(new URL(`../papers/${file}`, import.meta.url))
      await owner.upload({ collection: String(id), ...kind }, { name, bytes })
    }
    return id
  }
  const send = async (username: string, id: number) => (await stage.as(username)).post(`/collections/${id}/save/`)
  const reject = async (username: string, id: number, reason: string) =>
    (await stage.as(username)).post(`/admin/${id}/reject/`, { admin_desc: reason })
  const comment = async (username: string, collection: number, text: string) =>
    (await stage.as(username)).post('/comments/', { collection, text })

  await stage.on(41, '09:12')
  const diploma = await gather('leyla', 'Mimarlık diploması', [
    { name: 'diploma.pdf', file: 'diploma-leyla.pdf' },
    { title: 'Application form', name: 'başvuru formu.png', file: 'form.png' },
  ])
  await stage.on(40, '16:40')
  const birth = await gather('eleni', 'Πιστοποιητικό γέννησης', [{ name: 'πιστοποιητικό.png', file: 'form.png' }])
  await send('eleni', birth)
  await stage.on(38, '10:05')
  await reject('kwame', birth, 'The stamp of the registry cannot be read. Please scan the page anew, at 300 dpi.')
  await comment('kwame', birth, 'The upper third of the page is fine; only the stamp is blurred.')

  await stage.on(33, '13:27')
  const permit = await gather('nguyen.an', 'Giấy phép đỗ xe', [
    { title: 'Permit', name: 'permit.png', file: 'form.png' },
  ])
  await send('nguyen.an', permit)
  await stage.on(30, '08:50')
  const invoices = await gather('priya', 'नवीनीकरण के चालान', [
    { title: 'Invoice', name: 'चालान-0117.pdf', file: 'invoice-priya.pdf' },
  ])
  await send('priya', invoices)
  await stage.on(27, '15:18')
  await comment('aiko', invoices, 'Invoice 0118 is named in your note but is not among the files.')
  await reject('aiko', invoices, 'Invoice 0118 is missing. Please add it and send the collection again.')

  await stage.on(24, '11:33')
  const lease = await gather('nguyen.an', 'Hợp đồng thuê nhà', [
    { name: 'lease.pdf', file: 'lease-an.pdf' },
    { title: 'View from the room', name: 'phòng.jpg', file: 'photo.jpg' },
  ])
  await stage.on(22, '07:45')
  await send('nguyen.an', lease)
  await comment('nguyen.an', lease, 'Chủ nhà đã ký cả hai trang. Both pages are signed.')
  await stage.on(21, '14:02')
  const transcript = await gather('wang.fang', '毕业证书与成绩单', [
    { name: '毕业证书.pdf', file: 'diploma-fang.pdf' },
    { title: '成绩单', name: '成绩单.png', file: 'form.png' },
  ])
  await send('wang.fang', transcript)

  await stage.on(17, '09:30')
  const insurance = await gather('oksana', 'Страхові документи', [{ name: 'поліс.png', file: 'form.png' }])
  await send('oksana', insurance)
  await stage.on(15, '12:11')
  await reject('kwame', insurance, 'Сторінка 2 не підписана. Page 2 is not signed.')
  await comment('oksana', insurance, 'Дякую, підпишу завтра.')
  await stage.on(12, '10:20')
  await (await stage.as('leyla')).post(`/collections/${diploma}/save/`)
  await stage.on(10, '17:05')
  const studio = await gather('priya', 'Studio lease / स्टूडियो का पट्टा', [
    { name: 'lease.pdf', file: 'lease-priya.pdf' },
  ])
  await send('priya', studio)

  await stage.on(6, '08:15')
  const bills = await gather('david', 'חשבוניות של הסדנה', [
    { title: 'חשבונית', name: 'חשבונית 12.pdf', file: 'invoice-david.pdf' },
  ])
  await comment('david', bills, 'אוסיף את החשבונית השנייה ביום ראשון.')
  await stage.on(4, '19:31')
  await gather('leyla', 'Portfolyo, bahar', [{ title: 'Evening light', name: 'göl.jpg', file: 'photo.jpg' }])
  await stage.on(3, '10:44')
  const rent = await gather('oksana', 'Договір оренди, вул. Садова 14', [
    { name: 'договір.pdf', file: 'lease-oksana.pdf' },
  ])
  await send('oksana', rent)
  await comment('aiko', rent, 'Thank you, I will look at it this week.')
  await stage.on(1, '06:58')
  const school = await gather('نیلوفر', 'مدارک تحصیلی ۱۴۰۴', [
    { name: 'دانشنامه.pdf', file: 'diploma-niloufar.pdf' },
    { title: 'عکس', name: 'عکس.jpg', file: 'photo.jpg' },
  ])
  await send('نیلوفر', school)
  return { diploma, lease, transcript, studio, permit }
}

/** Tickets in every state, two of them of visitors. After `playPastWeeks`; all on the day before today. */
export async function playTickets(stage: Stage): Promise<void> {
  async function ask(username: string, title: string, text: string): Promise<number> {
    const asker = await stage.as(username)
    const ticket = await asker.make('/ticket/', { title })
    await asker.post('/conversation/', { ticket, text })
    return ticket
  }
  const write = async (username: string, ticket: number, text: string) =>
    (await stage.as(username)).post('/conversation/', { ticket, text })
  async function askAsVisitor(email: string, title: string, text: string): Promise<number> {
    const visitor = stage.stranger()
    const query = `?email=${encodeURIComponent(email)}`
    const ticket = await visitor.make(`/ticket/${query}`, { title })
    await visitor.post(`/conversation/${query}`, { ticket, text })
    return ticket
  }

  await stage.on(1, '08:10')
  const closed = await ask(
    'nguyen.an',
    'Wrong birthday in my profile',
    'I typed 1998 instead of 1989. Can I change it?',
  )
  const answered = await ask(
    'priya',
    'Which files may I send?',
    'Is a photo of a contract enough, or must it be a PDF?',
  )
  await stage.on(1, '09:25')
  await write('aiko', closed, 'Yes: open your profile, change the date and save. Nothing else is needed.')
  await write('kwame', answered, 'A photo is fine as long as every word can be read: PDF, JPEG and PNG are taken.')
  const moving = await ask('oksana', 'Чи можна змінити назву колекції?', 'I found a typing error in a title.')
  const visitors = await askAsVisitor(
    'maya@example.net',
    'Is this certificate real?',
    'I was given a Proof ID by mail.',
  )
  await stage.on(1, '11:00')
  await write('tomasz', moving, 'Yes, until you send it: the pencil beside the title.')
  await write('oksana', moving, 'It is sent already. Could it be given back to me?')
  await write('nguyen.an', closed, 'Done, thank you!')
  await write('aiko', closed, 'You are welcome.')
  await (await stage.as('aiko')).patch(`/ticket/${closed}/`, { is_locked: true })
  await write(
    'kwame',
    visitors,
    'Open "Service Content", type the Proof ID and the username, and you see for yourself.',
  )
  await stage.on(1, '13:40')
  await ask('leyla', 'How long does a review take?', 'I sent my diploma last week.')
  await askAsVisitor('jonas@example.net', 'Opening hours', 'When is your desk open?')
}
