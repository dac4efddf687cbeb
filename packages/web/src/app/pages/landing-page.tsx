import { Layers, ScanSearch, ShieldCheck, Timer, type LucideIcon } from 'lucide-react'
import { PATHS } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Rosette } from '../../ui/rosette.tsx'

export default function LandingPage() {
  return (
    <div className="grid gap-12 sm:gap-16">
      <Hero />
      <Benefits />
      <VerifyInvitation />
    </div>
  )
}

function Hero() {
  const isSignedOut = useSession().phase === 'signed-out'
  return (
    <section className="sheet relative overflow-hidden px-6 py-12 sm:px-10 sm:py-16 lg:px-14 lg:py-24">
      <Rosette
        seed="Proofdesk"
        detail="large"
        className="absolute -end-32 -top-28 size-88 text-brand opacity-20 md:-end-28 md:top-1/2 md:size-140 md:-translate-y-1/2 md:opacity-55 lg:-end-16 xl:size-160 xl:opacity-70 [&_path]:stroke-[0.26]"
      />
      <div className="relative max-w-xl">
        <PageHeading title={m.landing_title()} className="[&_h1]:text-[2.1rem] sm:[&_h1]:text-[2.8rem]" />
        <p className="mt-5 max-w-lg text-[1.1rem] text-ink-2">{m.landing_lead()}</p>
        <ButtonLink
          to={isSignedOut ? PATHS.register : PATHS.dashboard}
          kind="brand"
          className="mt-8 min-h-11 px-5 text-[1.05rem]"
        >
          {isSignedOut ? m.landing_get_started() : m.landing_go_to_dashboard()}
        </ButtonLink>
      </div>
    </section>
  )
}

function Benefits() {
  return (
    <section aria-labelledby="benefits">
      <h2 id="benefits" className="sr-only">
        {m.landing_benefits()}
      </h2>
      <ul className="grid gap-4 md:grid-cols-3 md:gap-0 md:divide-x md:divide-line">
        <Benefit icon={ShieldCheck} title={m.landing_security_title()} text={m.landing_security_text()} />
        <Benefit icon={Layers} title={m.landing_management_title()} text={m.landing_management_text()} />
        <Benefit icon={Timer} title={m.landing_processing_title()} text={m.landing_processing_text()} />
      </ul>
    </section>
  )
}

function Benefit({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <li className="border-t border-line pt-5 md:border-t-0 md:px-7 md:pt-0 md:first:ps-0 md:last:pe-0">
      <span aria-hidden className="flex size-10 items-center justify-center rounded-full bg-brand-wash text-brand">
        <Icon size={20} strokeWidth={1.7} />
      </span>
      <h3 className="mt-4 font-serif text-xl font-semibold">{title}</h3>
      <p className="mt-2 text-ink-2">{text}</p>
    </li>
  )
}

/** For third parties, who come here with a Proof ID and nothing else. */
function VerifyInvitation() {
  return (
    <section className="flex flex-wrap items-center gap-x-10 gap-y-5 rounded-sheet border border-line bg-sunk px-6 py-8 sm:px-10">
      <Rosette seed="seal" detail="large" className="size-20 shrink-0 text-seal" />
      <div className="min-w-0 grow basis-72">
        <h2 className="font-serif text-2xl font-semibold">{m.landing_verify_title()}</h2>
        <p className="mt-1.5 max-w-2xl text-ink-2">{m.landing_verify_text()}</p>
      </div>
      <ButtonLink to={PATHS.serviceContent} className="min-h-11 px-5">
        <ScanSearch aria-hidden size={18} />
        {m.landing_verify_link()}
      </ButtonLink>
    </section>
  )
}
