import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, outerEnvironment, readJson, root, run, say } from './project.mjs'
import { buildPackages } from './prune.mjs'

/** npm writes this file last, so it exists only after a complete install. */
const installedFile = join(root, 'node_modules', '.package-lock.json')

/**
 * Installs if node_modules is missing or differs from the lockfile. With `production`, only runtime and build
 * dependencies: less than half of all packages, or `withoutBuild` runtime dependencies only. A checkout with
 * development packages keeps them.
 */
export async function install({ production = false, withoutBuild = false } = {}) {
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readInstalled()
  if (isInstalled(wanted, installed, { production, withoutBuild })) return
  const isLean = production && !Object.values(installed ?? {}).some(({ dev }) => dev)
  say(`Installing packages from package-lock.json (about ${isLean ? 'half a' : 'a'} minute the first time)`)
  // An interrupted install must not look complete.
  rmSync(installedFile, { force: true })
  const kinds = isLean ? '--omit=dev' : '--include=dev'
  const code = await run('npm', ['ci', kinds, '--no-audit', '--no-fund', '--loglevel=error'], {
    env: outerEnvironment(),
    quiet: true,
  })
  if (code !== 0) fail('npm ci failed, see above.')
}

function readInstalled() {
  try {
    return JSON.parse(readFileSync(installedFile, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Compares versions, not dates: a fresh checkout gives every file the same date. */
export function isInstalled(wanted, installed, { production = false, withoutBuild = false } = {}) {
  if (installed === undefined) return false
  const removed = new Set(production && withoutBuild ? buildPackages(wanted) : [])
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    // Binaries of other platforms are optional and not installed.
    if (installed[path] === undefined)
      return Boolean(entry.optional || entry.devOptional || removed.has(path) || (production && entry.dev))
    return installed[path].version === entry.version
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install()
