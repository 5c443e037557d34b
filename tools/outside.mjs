/**
 * Installs the packages of tools/outside/package-lock.json without install scripts, for the tests in server/test/outside.
 * If they are unavailable it prints a message and succeeds; those tests are then skipped with a message.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from './install.mjs'
import { outerEnvironment, readJson, root, say } from './project.mjs'

const INSTALL_MS = 300_000
const folder = join(root, 'tools', 'outside')
const installedFile = join(folder, 'node_modules', '.package-lock.json')
const installed = existsSync(installedFile) ? readJson(installedFile).packages : undefined

if (!isInstalled(readJson(join(folder, 'package-lock.json')).packages, installed)) {
  const env = outerEnvironment()
  if (spawnSync('npm', ['ping', '--loglevel=silent'], { env, timeout: 60_000 }).status !== 0)
    say('No package registry available: the tests with third-party clients are skipped.')
  else {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder]
    const { status } = spawnSync('npm', ['ci', ...options], { env, timeout: INSTALL_MS, stdio: 'inherit' })
    if (status !== 0) {
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
      say('npm ci failed in tools/outside, see above: the tests with third-party clients are skipped.')
    }
  }
}
