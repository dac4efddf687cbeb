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

/**
 * The two faces every screen opens with start loading beside the script instead of after the style sheet. What comes too late for
 * the first picture all the same is for the next page: nothing that is being read moves.
 */
function preloadFonts(): Plugin {
  const faces = [/instrument-sans-latin-wght-normal.*\.woff2$/, /source-serif-4-latin-wght-normal.*\.woff2$/]
  const isPreloaded = (rule: string): boolean => /(?:instrument-sans|source-serif-4)-latin-wght-normal/.test(rule)
  return {
    name: 'preload-fonts',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler: (_options, bundle) => {
        for (const asset of Object.values(bundle)) {
          if (asset.type !== 'asset' || !asset.fileName.endsWith('.css')) continue
          asset.source = String(asset.source).replaceAll(/@font-face\s*\{[^}]*\}/g, (rule) =>
            isPreloaded(rule) ? rule.replace(/font-display:\s*swap/, 'font-display:optional') : rule,
          )
        }
      },
    },
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
