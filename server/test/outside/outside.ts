/**
 * Third-party clients, linters and generators, in a folder with a separate lockfile, because they need other versions and
 * most work here needs none of them. `node tools/outside.mjs` installs them, as .ci/run does.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { isInstalled } from '../../../tools/install.mjs'
import { readJson } from '../../../tools/project.mjs'

export const outsideFolder = fileURLToPath(new URL('../../../tools/outside/', import.meta.url))
const installedFile = `${outsideFolder}node_modules/.package-lock.json`
const canRun =
  existsSync(installedFile) &&
  isInstalled(readJson(`${outsideFolder}package-lock.json`).packages, readJson(installedFile).packages)
if (!canRun) console.warn('Not tried: the packages of others; node tools/outside.mjs installs them.')

/** Skipped with a printed reason if the packages are missing or older than the lockfile. */
export const outsideIt = canRun ? it : it.skip

export const requireOutside = createRequire(`${outsideFolder}package.json`)

const run = promisify(execFile)
const withoutNetwork = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a program of a package with the Node of this project; its output is in the error if it fails. */
export async function runOutside(program: string, args: readonly string[], cwd = outsideFolder) {
  const options = { cwd, env: { ...process.env, ...withoutNetwork } }
  try {
    return await run(process.execPath, [`${outsideFolder}node_modules/${program}`, ...args], options)
  } catch (error) {
    const { message, stdout } = error as Error & { stdout?: string }
    throw new Error(`${message}\n${stdout?.slice(0, 4000)}`, { cause: error })
  }
}
