/**
 * Clients, linters and generators of others, in a folder with a lockfile of its own: they need versions of their own, and
 * most work here needs none of them. `node tools/outside.mjs` installs them, as .ci/run does.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { it } from 'vitest'

export const outsideFolder = fileURLToPath(new URL('../../../tools/outside/', import.meta.url))
const isInstalled = existsSync(`${outsideFolder}node_modules/.package-lock.json`)
if (!isInstalled) console.warn('Not tried: the packages of others; node tools/outside.mjs installs them.')

/** Skipped, with the reason printed, where the packages are not installed. */
export const outsideIt = isInstalled ? it : it.skip

export const requireOutside = createRequire(`${outsideFolder}package.json`)

/** Runs a program of a package with the Node of this project; what it prints is in the error if it fails. */
export const runOutside = (program: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [`${outsideFolder}node_modules/${program}`, ...args])
