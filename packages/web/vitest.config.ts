import { availableParallelism } from 'node:os'
import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import base from './vite.config.ts'

export default mergeConfig(
  base,
  defineConfig({
    test: {
      environment: 'jsdom',
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/testing/setup.ts'],
      // The files of a worker share the app and the page: starting both anew took three times as long as the tests.
      isolate: false,
      // Of itself Vitest leaves one core idle; on two that is half the machine.
      maxWorkers: Math.max(2, availableParallelism()),
      // How long something takes is no fault of a test; these only end what hangs.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // The server runs as it does in earnest: it starts workers from files, which a bundler would give addresses of its own.
      server: { deps: { external: [/\/packages\/(?:server|certify)\/src\//] } },
    },
  }),
)
