import { makePdf } from '../testing.ts'
import type { CertificateFields } from '../types.ts'
import type { Certified, Workshop } from './sample-request.ts'

export interface ScriptSample {
  fields: Partial<CertificateFields>
  files: { title: string; fileName: string }[]
}

/** Certificates in many scripts, each with a reference picture of its first page in `pictures/`. */
export const SCRIPT_SAMPLES = {
  latin: {
    fields: { title: 'Übergabeprotokoll, façade № 7: Łódź – office', username: 'zoë.núñez', reviewer: 'søren' },
    files: [{ title: 'Protokoll', fileName: 'Übergabe (final) v2.pdf' }],
  },
  mixed: {
    fields: {
      title: 'Contract 租赁合同 قرارداد חוזה अनुबंध 🧾',
      username: 'سارا.محمدی',
      reviewer: '李雷',
      organisation: 'Notariat Müller & דפנה',
      description: 'Checked: 原件一致, رونوشت برابر اصل, नकल सही, תואם למקור ✅',
    },
    files: [{ title: '附件 🧾', fileName: 'قرارداد نهایی.pdf' }],
  },
  persian: {
    fields: {
      title: 'قرارداد اجارهٔ آپارتمان شمارهٔ ۱۴ خیابان ولیعصر میان سارا محمدی و شرکت نمونه، نسخهٔ نهایی ۱۴۰۵ (v2)',
      username: 'سارا',
      reviewer: 'بهرام کریمی',
      organisation: 'دفتر اسناد رسمی ۱۲ تهران',
      description:
        'این سند با اصل آن سنجیده شد. می‌توان آن را در نشانی Proof ID جست‌وجو کرد؛ مهلت آن ۲۴ ماه است.\n' +
        'نسخه‌های پیشین (v1 تا v3) دیگر اعتبار ندارند.',
    },
    files: [{ title: 'قرارداد', fileName: 'قرارداد-نسخهٔ-نهایی-۱۴۰۵.pdf' }],
  },
  hebrew: {
    fields: {
      title: 'חוזה שכירות 14 (Lease 2026) נוסח סופי',
      username: 'דפנה.כהן',
      reviewer: 'יואב',
      organisation: 'נוטריון לוי ושות׳',
      description: 'המסמך נבדק מול המקור ב-20.11.2026. בְּרֵאשִׁית בָּרָא',
    },
    files: [{ title: 'נספח א', fileName: 'חוזה 14 (v2).pdf' }],
  },
  eastern: {
    fields: {
      title: '住宅租赁合同（第二版）最终版本',
      username: '山田太郎',
      reviewer: '김민준',
      organisation: '株式会社サンプル東京公証役場',
      description:
        '本契約（以下「契約」という。）は、甲と乙の間で締結され、双方の署名をもって効力を生じるものとする。\n' +
        '임대차 계약서는 원본과 대조하여 확인하였습니다. 수정 사항은 없습니다.\n' +
        '本合同一式两份，甲乙双方各执一份，自双方签字之日起生效。',
    },
    files: [{ title: '임대차 계약서', fileName: '賃貸借契約書_最終版（コピー）.pdf' }],
  },
  indic: {
    fields: {
      title: 'किराया अनुबंध क्षत्रिय हिन्दी श्री 🧾✅',
      username: 'सुनीता',
      reviewer: 'สมชาย',
      organisation: 'สำนักงานทนายความตัวอย่าง',
      description:
        'यह दस्तावेज़ मूल प्रति से मिलाया गया है और सही पाया गया।\n' +
        'เอกสารนี้ได้รับการตรวจสอบกับต้นฉบับแล้ว น้ำ กำแพง ที่อยู่\n' +
        '👍🏽 👩‍💻 🇩🇪 1️⃣ ❤️ 🏳️‍🌈 👨‍👩‍👧‍👦',
    },
    files: [{ title: 'อนุมัติ 👍', fileName: 'अनुबंध अंतिम.pdf' }],
  },
  hostile: {
    fields: {
      title: `invoice\u202efdp.exe ${'Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309'.repeat(3)} \ud800 \ue000 end`,
      username: `a${'\u200b'.repeat(400)}b\u2067c`,
      reviewer: `\u202e\u202dx\u0000\u0007y`,
      organisation: 'চুক্তি \u{10ffff} 🧾\u200d✈️\u200d🐫',
      description: `x${'\u0301'.repeat(500)} ${'\u2067'.repeat(200)}after\n${'W'.repeat(180)}\n\u{e0041}\u{e0042}\ufeff\u00ad.`,
    },
    files: [{ title: '\u202etitle', fileName: `photo\u202egpj.${'x'.repeat(90)}.pdf` }],
  },
} as const satisfies Record<string, ScriptSample>

export type ScriptSampleName = keyof typeof SCRIPT_SAMPLES

export const SCRIPT_SAMPLE_NAMES = Object.keys(SCRIPT_SAMPLES) as ScriptSampleName[]

/** Builds the sample with originals of one page each. */
export async function buildScriptSample(workshop: Workshop, sample: ScriptSample): Promise<Certified> {
  const original = makePdf()
  const documents = await Promise.all(sample.files.map((names) => workshop.addOriginal(original, 'PDF', names)))
  return workshop.certify(documents, sample.fields)
}
