import { m } from '../paraglide/messages.js'
import { Button, type ButtonProps } from './button.tsx'
import { goOnAtHeading } from './go-on-at-heading.ts'

/** For what could not be loaded. It is gone once that is asked for again. Among rows a table knows where to go on. */
export function RetryButton(props: Pick<ButtonProps, 'kind' | 'busy' | 'onClick'>) {
  return (
    <Button {...props} ref={goOnAtHeading}>
      {m.retry()}
    </Button>
  )
}
