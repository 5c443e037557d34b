import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname

/** The script as served: one file without imports, readable by browsers of 2018. */
export async function buildTracker(): Promise<string> {
  const result = await build({
    entryPoints: [join(here, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2018',
    legalComments: 'none',
    define: { TIMED_IDS: 'T' },
    outfile: join(here, 'dist/tracker.js'),
    write: false,
  })
  // Its argument is set by the server.
  return `(T=>{${result.outputFiles[0]!.text.trim()}})(!0)`
}

/** Renamed into place, so that a server never reads half of it. */
export async function writeTracker(): Promise<void> {
  const text = await buildTracker()
  const fresh = join(here, `dist/tracker.${process.pid}.tmp`)
  await mkdir(join(here, 'dist'), { recursive: true })
  await writeFile(fresh, text)
  await rename(fresh, join(here, 'dist/tracker.js'))
}

if (import.meta.main) await writeTracker()
