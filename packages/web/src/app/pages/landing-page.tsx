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
    <section className="sheet relative grid grid-cols-[minmax(0,1fr)] overflow-hidden px-6 py-12 sm:px-10 sm:py-16 md:grid-cols-[minmax(0,36rem)_minmax(0,1fr)] md:gap-x-8 lg:px-14 lg:py-24">
      {/* In a column of its own, which it may leave only towards the edge: it never runs through the words. */}
      <div className="relative order-last max-md:absolute max-md:end-0 max-md:top-0 max-md:size-20">
        <Rosette
          seed="Proofdesk"
          detail="large"
          className="absolute start-0 top-1/2 size-56 -translate-y-1/2 text-brand opacity-45 max-md:-top-12 max-md:-start-8 max-md:size-40 max-md:translate-y-0 max-md:opacity-20 md:size-120 md:opacity-55 xl:size-160 xl:opacity-70 [&_path]:stroke-[0.26]"
        />
      </div>
      <div className="relative max-w-xl">
        <PageHeading title={m.landing_title()} className="[&_h1]:text-[2.1rem] sm:[&_h1]:text-[2.8rem]" />
        <p className="mt-5 max-w-lg text-[1.1rem] text-ink-2">{m.landing_lead()}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink
            to={isSignedOut ? PATHS.register : PATHS.dashboard}
            kind="brand"
            className="min-h-11 px-5 text-[1.05rem]"
          >
            {isSignedOut ? m.landing_get_started() : m.landing_go_to_dashboard()}
          </ButtonLink>
          <ButtonLink to={PATHS.serviceContent} className="min-h-11 px-5 text-[1.05rem]">
            <ScanSearch aria-hidden size={18} />
            {m.landing_verify_short()}
          </ButtonLink>
        </div>
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
