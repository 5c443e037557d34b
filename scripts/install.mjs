import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, outerEnvironment, readJson, root, run, say } from './project.mjs'

/** Installs when node_modules is missing or is not what the lockfile says. */
export async function install() {
  if (isInstalled()) return
  say('Installing packages from package-lock.json (about a minute the first time)')
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: outerEnvironment(),
    quiet: true,
  })
  if (code !== 0) fail('npm ci failed; what it said stands above.')
}

/** By content, not by date: a fresh checkout dates every file to now. */
function isInstalled() {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(installedFile).packages
  return Object.entries(wanted).every(([path, entry]) => {
    const isPackage = path.includes('node_modules/')
    // Binaries of other platforms are optional and stay away.
    if (!isPackage || entry.optional || entry.devOptional) return true
    return installed[path] !== undefined && installed[path].version === entry.version
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install()
