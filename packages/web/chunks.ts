import type { Rollup } from 'vite'

/**
 * Which code shares a file. On its own the bundler writes one for every set of screens that have something in common:
 * seventy for one screen, each with a request of its own. A group takes what its `test` names and all that this needs,
 * unless a group before it has it already; so a file only ever needs files of the groups before it.
 */
const GROUPS: { name: string; test?: RegExp; minShareCount?: number }[] = [
  // Small, so that the question who is signed in is put while the rest is on its way. What both sides of it need stands
  // here as well: without that the screens for everyone would wait for the session's calls.
  {
    name: 'entry',
    test: /web\/src\/lib\/(?:restore-session|confirm-identity|second-factor|sign-in-again|api-error|drafts)\.ts$|paraglide\/runtime\.js$|messages\/server_silent_title\.js$|contract\/src\/limits\.ts$/,
  },
  // Calls, their words of failure, and zod for their answers: only for whoever has a session, or signs in.
  { name: 'session', test: /web\/src\/lib\/(?:session-calls|call|provider-address)\.ts$|contract\/src\/auth\.ts$/ },
  // What the audit trail and the screen of mails have in common, and no other.
  { name: 'mail-problems', test: /web\/src\/lib\/mail-problem-words\.ts$|messages\/mail_problem_/ },
  // The screens strangers come to, with the frame around them.
  {
    name: 'start',
    test: /web\/src\/app\/screens\.tsx$|pages\/(?:landing|service-content|contact|missing)-page\.tsx$|ui\/text-page\.tsx$/,
  },
  // Small parts, icons and words that several screens have in common; nothing that needs zod, for strangers do without it.
  {
    name: 'parts',
    test: /web\/src\/ui\/(?!dialog-|wide-dialog-|list-pager|writing-form|submit-by-keys|focus-first-fault|order-select|open-file|late-reader|failed-file|document-desk|expiry-fields|lead-back|kept-focus|section-sheet)|web\/src\/lib\/(?!query-|live-events|use-single-|use-draft-mutation|use-list-|keep-answer|local-time|revocation-words|roles|provider-address|use-shortcut|is-key|layers|ticket-suggestion|leave-when-answered)|paraglide\/messages\/(?!verify_step|verify_file|verify_receipt|verify_code|transparency_)|lucide-react|proof\/src\/(?:rosette|proof-id|sha256|image-limit|submission-digest)\.ts$/,
    minShareCount: 2,
  },
  // What checks documents and the log: once somebody asks for that.
  {
    name: 'verifier',
    test: /proof\/src\/(?!paper\/(?!paper-key\.ts))|features\/certificates\/(?:check-document|step-words|document-steps|judge-file|judged-file|judge-receipt|judged-receipt)\.tsx?$|messages\/(?:verify_step|verify_receipt|verify_file_(?!title|text|choose|checking|label|hint)|transparency_(?!title))/,
  },
  // What judges printed codes: once an address brings one.
  {
    name: 'printed',
    test: /proof\/src\/paper\/(?!paper-key\.ts)|features\/certificates\/(?:judge-code|judged-code|unchecked-code|printed-code)\.tsx?$|messages\/verify_code/,
  },
  // What opens over a screen is loaded once the screen stands.
  {
    name: 'dialogs',
    test: /web\/src\/ui\/(?:dialog-host|dialog-window|wide-dialog-window)\.tsx$|web\/src\/lib\/layers\.ts$/,
  },
  { name: 'sign-in', test: /pages\/(?:login|register|reset-password|setup)-page\.tsx$/ },
  // Shapes of answers, and what is decided by them.
  {
    name: 'answers',
    test: /contract\/src\/(?!submissions|reviews|proof-changes)|web\/src\/lib\/roles\.ts$|ui\/list-pager\.tsx$|resend-verification\.ts$/,
    minShareCount: 2,
  },
  { name: 'member', test: /web\/src\/app\/member-frame\.tsx$|pages\/dashboard-page\.tsx$/ },
  { name: 'popups', test: /\/working-(?:menu|drawer|bell)\.tsx$/ },
  { name: 'toasts', test: /ui\/toast-host\.tsx$/ },
  // Without what only the rounds below a collection and the desk of a reviewer need: that comes with them.
  {
    name: 'shared',
    test: /^(?!.*(?:features\/submissions\/(?!use-looked-at)|contract\/src\/submissions\.ts|ui\/expiry-fields\.tsx|lib\/local-time\.ts|ui\/(?:failed-file|document-desk-frame)\.tsx))/,
    minShareCount: 2,
  },
]

export const CODE_SPLITTING = {
  groups: GROUPS.map((group, i) => ({ ...group, priority: GROUPS.length - i })),
} satisfies Rollup.OutputOptions['codeSplitting']
