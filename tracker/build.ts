import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname

/**
 * Names that only the two scripts use; neither the page nor the collector sees them. Fixed, because a browser may run
 * a cached script of the release before with a new one: add names, change none.
 */
const shortNames = {
  record: 'a',
  visitorId: 'b',
  whenVisitor: 'c',
  whenRegained: 'd',
  lastSeen: 'e',
  askVisit: 'f',
  retryNow: 'g',
  linkToken: 'h',
  choose: 'i',
  startConsent: 'j',
  outbox: 'k',
  settle: 'l',
  session: 'm',
  started: 'n',
  retryAfter: 'o',
  flush: 'p',
  leave: 'q',
  siteHost: 'r',
  isLoading: 's',
  chosen: 't',
  listeners: 'u',
  skips: 'v',
  changed: 'w',
  config: 'x',
  isWaiting: 'y',
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2018',
    legalComments: 'none',
    define: { TIMED_IDS: 'T' },
    mangleProps: new RegExp(`^(${Object.keys(shortNames).join('|')})$`),
    mangleCache: shortNames,
    outfile: 'script.js',
    write: false,
  })
  return result.outputFiles[0]!.text.trim()
}

/** Builds the script as served: one file without imports, for browsers of 2018 and later. */
export async function buildTracker(): Promise<string> {
  // The server sets the argument.
  return `(T=>{${await bundle('src/index.ts')}})(!0)`
}

/** The second script, which the first one loads where it is needed. */
export async function buildConsentScript(): Promise<string> {
  return `(()=>{${await bundle('src/consent/index.ts')}})()`
}

/** Writes and renames the files, so that a server never reads a partial one. */
export async function writeTracker(): Promise<void> {
  const scripts = { tracker: await buildTracker(), 'tracker-consent': await buildConsentScript() }
  await mkdir(join(here, 'dist'), { recursive: true })
  for (const [name, text] of Object.entries(scripts)) {
    const fresh = join(here, `dist/${name}.${process.pid}.tmp`)
    await writeFile(fresh, text)
    await rename(fresh, join(here, `dist/${name}.js`))
  }
}

if (import.meta.main) await writeTracker()
