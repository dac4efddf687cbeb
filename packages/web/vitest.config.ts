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
      testTimeout: 40_000,
      // The server runs as it does in earnest: it starts workers from files, which a bundler would give addresses of its own.
      server: { deps: { external: [/\/packages\/(?:server|certify)\/src\//] } },
    },
  }),
)
