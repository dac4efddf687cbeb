import { paraglideVitePlugin } from '@inlang/paraglide-js'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { CODE_SPLITTING } from './chunks.ts'
import { nameFirstLoads } from './first-loads.ts'
import { PDF_RESOURCES, servePdfResources } from './pdf-resources.ts'
import { precompress } from './precompress.ts'

const BACKEND = 'http://127.0.0.1:8000'

export default defineConfig({
  // Also when the build is started from the top of the project.
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwind(),
    paraglideVitePlugin({
      project: `${import.meta.dirname}/project.inlang`,
      outdir: `${import.meta.dirname}/src/paraglide`,
      outputStructure: 'message-modules',
      strategy: ['baseLocale'],
    }),
    preloadFonts(),
    nameFirstLoads(),
    servePdfResources(),
    precompress(),
  ],
  define: { PDF_RESOURCES: JSON.stringify(PDF_RESOURCES) },
  build: {
    target: 'es2022',
    // Vite would write small fonts and icons into the style sheet as data:, which the content security policy refuses.
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: CODE_SPLITTING } },
  },
  server: {
    proxy: {
      '/backend': BACKEND,
      '/healthz': BACKEND,
      '/readyz': BACKEND,
      '/log': BACKEND,
      '^/verify(\\.sha256)?$': BACKEND,
    },
  },
})

/** The two faces every screen opens with start loading beside the script instead of after the style sheet. */
function preloadFonts(): Plugin {
  const faces = [/instrument-sans-latin-wght-normal.*\.woff2$/, /source-serif-4-latin-wght-normal.*\.woff2$/]
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => faces.some((face) => face.test(file)))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend',
          })),
    },
  }
}
