import { lazy, type ComponentType, type ReactNode } from 'react'

/** What restores each component whose code could not be loaded. */
const failed = new Set<() => void>()

/** Code did not come: the network is away, or the server has a newer version. */
export class CodeMissing extends Error {
  override readonly name = 'CodeMissing'
}

/**
 * Like `lazy`, which keeps a failure for as long as the page lives: after `forgetFailures` the code is asked for anew.
 * @throws CodeMissing while rendering.
 */
export function loadLazily<Props extends object>(
  load: () => Promise<{ default: (props: Props) => ReactNode }>,
): ComponentType<Props> {
  const makeLazy = () =>
    lazy(() =>
      load().catch((cause: unknown) => {
        failed.add(() => {
          Loaded = makeLazy()
        })
        throw new CodeMissing('Code could not be loaded', { cause })
      }),
    )
  let Loaded: ComponentType<Props> = makeLazy()
  return (props) => <Loaded {...props} />
}

/** Once a failure is shown; before, whatever renders would ask again and again. */
export function forgetFailures(): void {
  for (const restore of failed) restore()
  failed.clear()
}
