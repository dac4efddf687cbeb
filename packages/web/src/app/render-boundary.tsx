import { Component, useEffect, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { CodeMissing, forgetFailures } from '../ui/lazy-code.tsx'

interface Props {
  children: ReactNode
}

interface State {
  hasFailed: boolean
  isCodeMissing: boolean
}

const WELL: State = { hasFailed: false, isCodeMissing: false }

/** Stands in for a screen that failed to render, or whose code could not be loaded (after an update, for example). */
export class RenderBoundary extends Component<Props, State> {
  override state = WELL

  static getDerivedStateFromError(error: unknown): State {
    return { hasFailed: true, isCodeMissing: error instanceof CodeMissing }
  }

  override componentDidCatch() {
    forgetFailures()
  }

  override render() {
    const { hasFailed, isCodeMissing } = this.state
    if (!hasFailed) return this.props.children
    return <RenderFailure onRetry={isCodeMissing ? () => this.setState(WELL) : undefined} />
  }
}

/** A new start would lose what the person has typed elsewhere, so code that did not come is only asked for again. */
function RenderFailure({ onRetry }: { onRetry: (() => void) | undefined }) {
  useEffect(() => {
    if (!onRetry) return
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <div role="alert">
      <EmptyState
        title={onRetry && !navigator.onLine ? m.server_silent_title() : m.render_failure()}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {onRetry && <Button onClick={onRetry}>{m.retry()}</Button>}
            <Button kind="brand" onClick={() => location.reload()}>
              {m.refresh_page()}
            </Button>
          </span>
        }
      />
    </div>
  )
}
