// `npm run release -- 0.3.0`: releases the version that package.json names (commit and tag), then begins 0.3.0.
// Nothing is pushed.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, readJson, root, say } from './project.mjs'

const [next = ''] = process.argv.slice(2)
const current = readJson(join(root, 'package.json')).version
if (!/^\d+\.\d+\.\d+$/.test(next) || !isNewer(next, current))
  fail(`Name the version to begin after ${current}, for example: npm run release -- ${nextMinor(current)}`)
if (git('status', '--porcelain') !== '') fail('Commit your changes first: a release is a commit.')

const unreleased = `## ${current} (unreleased)`
const changelog = read('CHANGELOG.md')
if (!changelog.includes(unreleased)) fail(`CHANGELOG.md has no heading "${unreleased}".`)
const today = new Date().toISOString().slice(0, 10)
const dated = changelog.replace(unreleased, `## ${current} (${today})`)
write('CHANGELOG.md', dated)
git('commit', '-am', `Release ${current}`)
git('tag', '-a', `v${current}`, '-m', `Whence ${current}`)

const migrations = readdirSync(join(root, 'server/migrations')).filter((name) => name.endsWith('.sql'))
writeJson('server/migrations/previous-release.json', {
  version: current,
  commit: git('rev-parse', 'HEAD'),
  lastMigration: migrations.sort().at(-1),
})
const begun = `## ${next} (unreleased)\n\n**Recompute needed**: no.\n\n`
write('CHANGELOG.md', dated.replace(`## ${current} (`, `${begun}## ${current} (`))
for (const folder of ['.', ...readJson(join(root, 'package.json')).workspaces])
  setVersion(join(folder, 'package.json'), (manifest) => [manifest])
setVersion('package-lock.json', (lock) => [
  lock,
  ...Object.values(lock.packages).filter(({ name }) => /^(whence$|@whence\/)/.test(name ?? '')),
])
write('openapi.json', read('openapi.json').replace(`"version": "${current}"`, `"version": "${next}"`))
write(
  'sdk-python/pyproject.toml',
  read('sdk-python/pyproject.toml').replace(`version = "${current}"`, `version = "${next}"`),
)
write('compose.yaml', read('compose.yaml').replaceAll(`whence:${current}`, `whence:${next}`))
git('commit', '-am', `Begin ${next}`)
say(
  `Released ${current} as the tag v${current}; package.json is at ${next}. Push both: git push --follow-tags`,
)

/** Sets the version of each manifest that `find` returns, and of our own packages that it depends on. */
function setVersion(file, find) {
  const content = readJson(join(root, file))
  for (const manifest of find(content)) {
    manifest.version = next
    for (const kind of ['dependencies', 'devDependencies'])
      for (const name of Object.keys(manifest[kind] ?? {}))
        if (name.startsWith('@whence/')) manifest[kind][name] = next
  }
  writeJson(file, content)
}

function isNewer(a, b) {
  return a.localeCompare(b, 'en', { numeric: true }) > 0
}

function nextMinor(version) {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${minor + 1}.0`
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

function write(file, text) {
  writeFileSync(join(root, file), text)
}

function writeJson(file, content) {
  write(file, `${JSON.stringify(content, null, 2)}\n`)
}
