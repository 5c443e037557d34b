import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname

/** Builds the script as served: one file without imports, for browsers of 2018 and later. */
export async function buildTracker(): Promise<string> {
  const result = await build({
    entryPoints: [join(here, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2018',
    legalComments: 'none',
    define: { TIMED_IDS: 'T' },
    // Names that are used within the script only; neither the page nor the collector sees them.
    mangleProps:
      /^(record|visitorId|whenVisitor|whenRegained|lastSeen|askVisit|retryNow|linkToken|setConsent|startConsent|outbox|settle|session|started|retryAfter|flush|leave)$/,
    outfile: join(here, 'dist/tracker.js'),
    write: false,
  })
  // The server sets the argument.
  return `(T=>{${result.outputFiles[0]!.text.trim()}})(!0)`
}

/** Writes and renames the file, so that a server never reads a partial one. */
export async function writeTracker(): Promise<void> {
  const text = await buildTracker()
  const fresh = join(here, `dist/tracker.${process.pid}.tmp`)
  await mkdir(join(here, 'dist'), { recursive: true })
  await writeFile(fresh, text)
  await rename(fresh, join(here, 'dist/tracker.js'))
}

if (import.meta.main) await writeTracker()
