import { Component, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface Props {
  children: ReactNode
}

/** Stands in for a screen that failed to render, or whose code could not be loaded (after an update, for example). */
export class RenderBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <RenderFailure /> : this.props.children
  }
}

function RenderFailure() {
  return (
    <div role="alert">
      <EmptyState
        title={m.render_failure()}
        action={
          <Button kind="brand" onClick={() => location.reload()}>
            {m.refresh_page()}
          </Button>
        }
      />
    </div>
  )
}
