/** Rewrites the reference pictures. Look at each before it is committed: they are what the tests hold for right. */
import { mkdir, writeFile } from 'node:fs/promises'
import { findPicture, renderPicture } from './reference-pictures.ts'
import { openWorkshop } from './sample-request.ts'
import { buildScriptSample, SCRIPT_SAMPLE_NAMES, SCRIPT_SAMPLES } from './script-certificates.ts'

const workshop = await openWorkshop()
await mkdir(new URL('.', findPicture('latin')), { recursive: true })
for (const name of SCRIPT_SAMPLE_NAMES) {
  const { path } = await buildScriptSample(workshop, SCRIPT_SAMPLES[name])
  const picture = await renderPicture(path)
  await writeFile(findPicture(name), picture)
  process.stdout.write(`${name}.png ${picture.length} bytes\n`)
}
await workshop.close()
