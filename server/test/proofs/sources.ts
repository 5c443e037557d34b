/**
 * What a proof is made of: the files that it imports, directly or not, those that these files name by a path, and the
 * versions of the packages that they use. A proof whose sources are those of the last run needs no other run.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

/** For all proofs: how they are run. */
const common = ['vitest.proofs.config.ts']
const runtime = 'node'

const code = /\.(ts|tsx|mjs)$/
const texts = /(['"`])([^'"`\n]+)\1/g

/** Paths relative to the root, and packages as `name@version`; sorted. */
export function sourcesOf(entry: string, at = root): string[] {
  const { packages } = JSON.parse(readFileSync(join(at, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  const found = new Set(common.map((path) => join(at, path)).filter((path) => existsSync(path)))
  const used = new Set([runtime])
  const waiting = [join(at, entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    if (!code.test(file)) continue
    for (const [, , text] of readFileSync(file, 'utf8').matchAll(texts)) {
      waiting.push(...filesNamed(text!, file, at))
      used.add(text!.split('/', text!.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  const versions = [...used].flatMap((name) => {
    const version = packages[`node_modules/${name}`]?.version
    return version === undefined ? [] : [`${name}@${version}`]
  })
  return [...versions, ...[...found].map((path) => relative(at, path))].sort()
}

/** Files of the repository that a text in this file names: a module, a file, or a folder with what is directly in it. */
function filesNamed(text: string, file: string, at: string): string[] {
  if (text.startsWith('@whence/')) return packageFile(text, file, at)
  const paths = text.startsWith('.')
    ? [resolve(dirname(file), text)]
    : text.includes('/')
      ? [join(at, text)]
      : []
  return paths.flatMap((path) => {
    if (!path.startsWith(at) || path === at || !existsSync(path)) return []
    if (!statSync(path).isDirectory()) return [path]
    if (!text.endsWith('/')) return []
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(path, entry.name))
  })
}

function packageFile(name: string, file: string, at: string): string[] {
  try {
    const path = realpathSync(createRequire(file).resolve(name))
    return path.startsWith(at) ? [path] : []
  } catch {
    return []
  }
}

export function hashOf(sources: readonly string[], at = root): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    hash.update(`${source}\n`)
    if (existsSync(join(at, source))) hash.update(readFileSync(join(at, source))).update('\n')
  }
  return hash.digest('hex')
}

export const listProofs = (): string[] =>
  globSync('{engine,server,bench}/**/*.proof.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).sort()
