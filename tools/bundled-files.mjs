import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Our own files that the bundle of a package includes: its sources without tests and everything they import, in any package. */
export function bundledFiles(root, name) {
  const files = new Set(sourcesOf(join(root, name, 'src')))
  // A set that grows during iteration also yields the new entries.
  for (const file of files) for (const imported of importsOf(root, file)) files.add(imported)
  return [...files]
}

function sourcesOf(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

const specifiers = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

function importsOf(root, file) {
  if (!/\.tsx?$/.test(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(specifiers)]
    .map(([, specifier]) => resolveImport(root, file, specifier.split('?', 1)[0]))
    .filter((path) => path !== undefined && existsSync(path))
}

/** Undefined for packages from the registry: the lockfile covers those. */
function resolveImport(root, file, specifier) {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier)
  const ours = /^@whence\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (!ours) return undefined
  const [, name, path] = ours
  const { exports = {} } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
  const target = path === undefined ? exports['.'] : (exports[`./${path}`] ?? exports['./*'])
  const source = target?.['@whence/source'] ?? target
  return source && join(root, name, source.replace('*', path ?? ''))
}
