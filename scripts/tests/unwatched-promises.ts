// Loaded before node:test, which asks to be told of every promise that is made and of every one that is gone, only to name the
// test in which an error was thrown that nothing caught. An `await` then takes twenty times as long: a quarter of the time of a
// test that talks to a server. Of what is left it knows in which test it runs; an error thrown beside all tests fails the file.
import hooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = hooks
const OF_TESTS = 'Test'

hooks.createHook = ({ init }: HookCallbacks) =>
  createHook({
    init: (id, type, triggerId, resource) => {
      if (type === OF_TESTS) init?.(id, type, triggerId, resource)
    },
    trackPromises: false,
  })
