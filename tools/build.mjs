import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledFiles } from './bundled-files.mjs'
import { install } from './install.mjs'
import { newestChange, readJson, root, run, say } from './project.mjs'
import { prune } from './prune.mjs'

/** The packages that run in browsers; everything else runs as TypeScript without a build. */
const packages = ['tracker', 'console']

const isBuilt = () => packages.every((name) => !isStale(root, name))

/** What `npm start` needs: the packages that run, and those that build only as long as something is to be built. */
export async function installAndBuild() {
  await install({ production: true, withoutBuild: isBuilt() })
  await build()
  prune(root)
}

/** Builds packages whose build is missing or older than their sources. */
export async function build() {
  for (const name of packages) if (!(await buildPackage(name))) process.exit(1)
}

/** False if the build failed; its output is on the terminal then. */
export async function buildPackage(name) {
  const folder = join(root, name)
  const command = readJson(join(folder, 'package.json')).scripts?.build
  if (!command || !isStale(root, name)) return true
  say(`Building the ${name}`)
  const code = await run('/bin/sh', ['-c', command], { cwd: folder, quiet: true })
  if (code !== 0) say(`The ${name} did not build; see its output above.`)
  return code === 0
}

/** True if a file of the package, or one that its bundle includes, changed after the last build. */
export function isStale(root, name) {
  const folder = join(root, name)
  const dist = join(folder, 'dist')
  if (!existsSync(dist)) return true
  const builtAt = newestChange(readdirSync(dist).map((entry) => join(dist, entry)))
  const entries = readdirSync(folder).filter((entry) => !['dist', 'node_modules', 'test'].includes(entry))
  const paths = entries.map((entry) => join(folder, entry))
  const sources = [...paths, join(root, 'package-lock.json'), ...bundledFiles(root, name)]
  return newestChange(sources) > builtAt
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installAndBuild()
