// Builds the page and the command into one file each: `node packages/verifier/build.ts [folder]`, `dist` when there is none.
// The same sources give the same bytes, on every machine: nothing of the time, the place or the instance goes in.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'
import { WORDS } from './src/words.ts'

const SRC = join(import.meta.dirname, 'src')

/** What the page may do, also where nobody sends headers with it. `frame-ancestors` counts in headers only. */
const writePolicy = (script: string, style: string) =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hashBase64(script)}'`,
    `style-src 'sha256-${hashBase64(style)}'`,
    "connect-src 'self'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** Builds both. @returns SHA-256 of the page, lower-case hex. */
export async function buildVerifier(folder: string): Promise<string> {
  const [page, command] = await Promise.all([buildPage(), bundle('cli/main.ts', 'node', 'esm')])
  mkdirSync(folder, { recursive: true })
  writeWhole(join(folder, 'verify.mjs'), command)
  writeWhole(join(folder, 'verify.html'), page)
  return createHash('sha256').update(page).digest('hex')
}

async function buildPage(): Promise<string> {
  const script = await bundle('page/main.ts', 'browser', 'iife')
  const style = shrinkStyle(readFileSync(join(SRC, 'page/page.css'), 'utf8'))
  // Whoever reads the page would take these for an end, and a carriage return for a newline: the hashes would not fit.
  if (/<\/script|<!--|\r/i.test(script) || /<\/style|\r/i.test(style)) throw new Error('the page would end too early')
  return writeHtml(script, style)
}

/** Nothing may stand between the tags and what they hold, or the hashes would not fit. */
const writeHtml = (script: string, style: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${writePolicy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${WORDS.title}</title>
<style>${style}</style>
</head>
<body>
<noscript>${WORDS.noScript}</noscript>
<script>${script}</script>
</body>
</html>
`

async function bundle(entry: string, platform: 'browser' | 'node', format: 'iife' | 'esm'): Promise<string> {
  const { output } = await build({
    input: join(SRC, entry),
    cwd: import.meta.dirname,
    platform,
    write: false,
    logLevel: 'warn',
    output: { format, minify: platform === 'browser', codeSplitting: false, comments: false },
  })
  const [chunk] = output
  if (output.length !== 1) throw new Error(`${entry} became ${output.length} files`)
  return chunk.code.trim()
}

/** Blank space between rules and declarations; there is none inside what it keeps apart. */
const shrinkStyle = (css: string): string =>
  css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .trim()

/** Whoever reads it meanwhile has the old one or the new one. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.next`, text)
  renameSync(`${path}.next`, path)
}

const hashBase64 = (text: string): string => createHash('sha256').update(text).digest('base64')

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'))
  console.error(`SHA-256 of verify.html: ${await buildVerifier(folder)}`)
}
