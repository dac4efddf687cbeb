import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/class-names.ts'
import { Rosette } from '../../ui/rosette.tsx'
import { keepGuideAway, readGuideAway } from './guide-away.ts'

interface Step {
  title: string
  text: string
}

/** May be put away, and shown again: one button does both, so that the focus stays on it. */
export function UserGuide() {
  const [isAway, setIsAway] = useState(readGuideAway)

  function toggle() {
    keepGuideAway(!isAway)
    setIsAway(!isAway)
  }

  return (
    <section aria-label={m.guide_label()} className="grid gap-2">
      {!isAway && <GuideSteps />}
      <Button kind="quiet" aria-expanded={!isAway} onClick={toggle} className="justify-self-end text-ink-2">
        <BookOpen aria-hidden size={16} strokeWidth={1.8} />
        {isAway ? m.guide_show() : m.guide_put_away()}
      </Button>
    </section>
  )
}

/** Three steps, each behind a numbered button. */
function GuideSteps() {
  const [chosen, setChosen] = useState(0)
  const steps = listSteps()
  const step = steps[chosen]
  return (
    <div className="sheet">
      <ol className="grid border-b border-line sm:grid-cols-3 sm:divide-x sm:divide-line">
        {steps.map(({ title }, index) => (
          <li key={title} className="max-sm:not-first:border-t max-sm:not-first:border-line">
            <StepButton
              number={index + 1}
              title={title}
              isChosen={index === chosen}
              onChoose={() => setChosen(index)}
            />
          </li>
        ))}
      </ol>
      <div aria-live="polite" className="relative overflow-hidden rounded-b-sheet px-5 py-7 sm:px-7 sm:py-10">
        <Rosette
          seed="guide"
          detail="large"
          className="absolute -end-20 -bottom-24 size-72 text-brand opacity-25 max-xl:hidden dark:opacity-30"
        />
        <p className="text-sm text-ink-2">{m.guide_place({ step: chosen + 1, steps: steps.length })}</p>
        <h2 className="mt-1 font-serif text-2xl font-semibold">{step?.title}</h2>
        <p className="relative mt-2 max-w-2xl text-ink-2">{step?.text}</p>
      </div>
    </div>
  )
}

interface StepButtonProps {
  number: number
  title: string
  isChosen: boolean
  onChoose: () => void
}

function StepButton({ number, title, isChosen, onChoose }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-current={isChosen ? 'step' : undefined}
      onClick={onChoose}
      className={joinClasses(
        'flex w-full items-center gap-3 px-5 py-3.5 text-start -outline-offset-2 hover:bg-sunk',
        isChosen && 'font-semibold',
      )}
    >
      <span
        className={joinClasses(
          'flex size-7.5 shrink-0 items-center justify-center rounded-full font-mono text-sm',
          isChosen ? 'bg-brand text-on-brand' : 'bg-sunk text-ink-2',
        )}
      >
        {number}
      </span>{' '}
      {title}
    </button>
  )
}

function listSteps(): Step[] {
  return [
    { title: m.guide_welcome_title(), text: m.guide_welcome_text() },
    { title: m.guide_collections_title(), text: m.guide_collections_text() },
    { title: m.guide_roles_title(), text: m.guide_roles_text() },
  ]
}
