import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, outerEnvironment, readJson, root, run, say } from './project.mjs'

/**
 * Installs when node_modules is missing or differs from the lockfile. With `production`, packages that only
 * development needs may be missing (`npm ci --omit=dev`).
 */
export async function install({ production = false } = {}) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  const installed = existsSync(installedFile) ? readJson(installedFile).packages : undefined
  if (isInstalled(readJson(join(root, 'package-lock.json')).packages, installed, { production })) return
  say('Installing packages from package-lock.json (about a minute the first time)')
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: outerEnvironment(),
    quiet: true,
  })
  if (code !== 0) fail('npm ci failed, see above.')
}

/** Compares versions, not dates: a fresh checkout gives every file the same date. */
export function isInstalled(wanted, installed, { production = false } = {}) {
  if (installed === undefined) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const isPackage = path.includes('node_modules/')
    // Binaries of other platforms are optional and stay away.
    if (!isPackage || entry.optional || entry.devOptional) return true
    if (production && entry.dev) return true
    return installed[path] !== undefined && installed[path].version === entry.version
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install()
