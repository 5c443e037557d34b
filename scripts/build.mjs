import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'
import { fail, newestChange, readJson, root, run, say } from './project.mjs'

/** What goes to browsers is built; each package with what else its bundle holds. */
const packages = [
  { name: 'tracker', also: [] },
  { name: 'console', also: contracts() },
]

/** Builds what is missing or older than its sources. */
export async function build() {
  for (const { name, also } of packages) {
    const folder = join(root, name)
    const command = readJson(join(folder, 'package.json')).scripts?.build
    if (!command || !isStale(folder, also)) continue
    say(`Building the ${name}`)
    const code = await run('/bin/sh', ['-c', command], { cwd: folder, quiet: true })
    if (code !== 0) fail(`The ${name} did not build; what was said stands above.`)
  }
}

/** All of the server that the console may import. */
function contracts() {
  const features = join(root, 'server', 'src', 'features')
  const folders = existsSync(features) ? readdirSync(features) : []
  return [join(root, 'server/src/contract'), ...folders.map((name) => join(features, name, 'contract.ts'))]
}

function isStale(folder, also) {
  const dist = join(folder, 'dist')
  if (!existsSync(dist)) return true
  const built = newestChange(readdirSync(dist).map((entry) => join(dist, entry)))
  const sources = [folder, join(root, 'package-lock.json'), ...also]
  return newestChange(sources) > built
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install()
  await build()
}
