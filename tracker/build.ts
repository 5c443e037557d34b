import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname

/** The script as served: one file without imports, readable by browsers of 2018. */
export async function buildTracker(): Promise<string> {
  const result = await build({
    entryPoints: [join(here, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2018',
    legalComments: 'none',
    outfile: join(here, 'dist/tracker.js'),
    write: false,
  })
  return result.outputFiles[0]!.text
}

if (import.meta.main) {
  const text = await buildTracker()
  await mkdir(join(here, 'dist'), { recursive: true })
  await writeFile(join(here, 'dist/tracker.js'), text)
}
