import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of a screen that failed to render, or whose code could not be loaded (after an update, for example). */
export function RenderFailure() {
  const cause = useRouteError()
  useEffect(() => console.error(cause), [cause])
  return (
    <div role="alert">
      <title>{m.product_name()}</title>
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
