import { drawPdf } from './draw-pdf.ts'

/** Papers of people and places that do not exist, drawn here. Characters of Latin-1 only. */

export function drawDiploma(name: string, degree: string, school: string, year: number): Buffer {
  return drawPdf(`${degree}, ${name}`, [
    (pen) => {
      pen.ink(0.13, 0.25, 0.45)
      pen.box(36, 36, 523, 770, 3)
      pen.box(44, 44, 507, 754)
      pen.centred(297, 690, 30, school)
      pen.line(180, 672, 415, 672)
      pen.ink(0.1, 0.1, 0.1)
      pen.centred(297, 610, 15, 'By the vote of its faculty this school confers on', 'italic')
      pen.centred(297, 550, 34, name)
      pen.centred(297, 500, 15, 'the degree of', 'italic')
      pen.centred(297, 455, 25, degree)
      pen.centred(297, 405, 15, 'with all the rights and duties that belong to it.', 'italic')
      pen.centred(297, 330, 14, `Given under the seal of the school in the year ${year}.`)
      for (const [x, office] of [
        [150, 'The Rector'],
        [445, 'The Dean'],
      ] as const) {
        pen.line(x - 75, 170, x + 75, 170)
        pen.centred(x, 152, 12, office)
      }
      pen.centred(297, 70, 9, 'A specimen, drawn for a demonstration')
    },
  ])
}

export function drawLease(tenant: string, street: string, rent: string): Buffer {
  const clauses = [
    `The landlord lets to ${tenant}, the tenant, the dwelling at ${street}, with its cellar and the use of the yard.`,
    `The rent is ${rent} a month, due on the third working day of each month. Heating and water are paid by meter.`,
    'The tenant pays a deposit of two rents, which the landlord keeps apart and gives back, with its interest, within six months of the end of the lease.',
    'The lease begins on the first of the month that follows the signing and runs until one side gives notice in writing, three months ahead.',
    'Small repairs up to a tenth of a rent are borne by the tenant, everything else by the landlord, who comes by appointment only.',
    'Pets that live in cages or bowls need no permission. For others the landlord may refuse it with a reason.',
    'What is changed in this lease is changed in writing. If one clause falls, the others stand.',
  ]
  const drawClauses = (from: number, to: number) => (pen: Parameters<Parameters<typeof drawPdf>[1][number]>[0]) => {
    let y = 770
    if (from === 0) {
      pen.text(70, y, 20, 'Lease of a dwelling', 'bold')
      pen.line(70, y - 12, 525, y - 12)
      y -= 50
    }
    for (let at = from; at < to; at += 1) {
      pen.text(70, y, 12, `${at + 1}`, 'bold')
      y = pen.paragraph(95, y, 12, 420, clauses[at] ?? '') - 14
    }
    if (to < clauses.length) return
    for (const [x, who] of [
      [70, 'Landlord'],
      [320, `Tenant: ${tenant}`],
    ] as const) {
      pen.line(x, y - 60, x + 190, y - 60)
      pen.text(x, y - 76, 10, who)
    }
  }
  return drawPdf(`Lease, ${street}`, [drawClauses(0, 4), drawClauses(4, clauses.length)])
}

export function drawInvoice(number: string, customer: string, items: readonly (readonly [string, number])[]): Buffer {
  return drawPdf(`Invoice ${number}`, [
    (pen) => {
      pen.text(60, 775, 22, 'Northlight Workshop', 'bold')
      pen.text(60, 755, 10, 'Frames, lamps and small repairs')
      pen.text(400, 775, 14, `Invoice ${number}`, 'bold')
      pen.text(60, 700, 11, `To: ${customer}`)
      let y = 650
      pen.text(60, y, 10, 'Item', 'bold')
      pen.text(470, y, 10, 'Amount', 'bold')
      pen.line(60, y - 8, 535, y - 8, 1)
      for (const [item, amount] of items) {
        y -= 26
        pen.text(60, y, 11, item)
        pen.text(470, y, 11, amount.toFixed(2))
        pen.line(60, y - 8, 535, y - 8, 0.3)
      }
      const total = items.reduce((sum, [, amount]) => sum + amount, 0)
      pen.text(400, y - 34, 12, 'Total', 'bold')
      pen.text(470, y - 34, 12, total.toFixed(2), 'bold')
      pen.paragraph(
        60,
        y - 90,
        11,
        430,
        'Payable within thirty days. Thank you for coming by; the lamp has a new cord.',
      )
    },
  ])
}
