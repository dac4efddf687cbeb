import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const PACKAGE = require.resolve('pdfjs-dist/package.json')
const { version } = require(PACKAGE) as { version: string }

/** Where they are served; the version in it changes with the files, so they may be kept for good. */
export const PDF_RESOURCES = `/assets/pdfjs-${version}/`

/** Character maps and fonts that documents name without bringing them, and decoders for JPEG 2000 and JBIG2. */
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm']
/** WebAssembly is off, so only its stand-ins in plain JavaScript are served; the licences come along. */
const SERVED = /\.(bcmap|pfb|ttf)$|_nowasm_fallback\.js$|LICENSE/

const MEDIA_TYPES: Record<string, string> = { '.js': 'text/javascript', '.ttf': 'font/ttf' }

/** Puts what pdf.js loads by itself into the build, and serves it while developing: all from our own origin. */
export function servePdfResources(): Plugin {
  return {
    name: 'pdf-resources',
    async generateBundle() {
      for (const name of await listResources())
        this.emitFile({
          type: 'asset',
          fileName: PDF_RESOURCES.slice(1) + name,
          source: await readFile(join(dirname(PACKAGE), name)),
        })
    },
    async configureServer(server) {
      const names = new Set(await listResources())
      server.middlewares.use((request, response, next) => {
        const name = request.url?.startsWith(PDF_RESOURCES) ? request.url.slice(PDF_RESOURCES.length) : ''
        if (!names.has(name)) return next()
        response.setHeader('content-type', MEDIA_TYPES[extname(name)] ?? 'application/octet-stream')
        createReadStream(join(dirname(PACKAGE), name)).pipe(response)
      })
    },
  }
}

async function listResources(): Promise<string[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(dirname(PACKAGE), folder))).map((name) => `${folder}/${name}`)),
  )
  return lists.flat().filter((name) => SERVED.test(name))
}
