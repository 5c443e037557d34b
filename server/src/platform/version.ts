/** Release version and build id. */
import { execFileSync, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

/** The release in package.json; CHANGELOG.md describes it. */
export const version = (
  JSON.parse(readFileSync(new URL('server/package.json', root), 'utf8')) as { version: string }
).version

let buildId: string | undefined

/** The commit that this code was built from: the image's file `build-id`, or the checkout's commit. */
export function readBuildId(): string {
  buildId ??= findBuildId()
  return buildId
}

function findBuildId(): string {
  try {
    return readFileSync(new URL('build-id', root), 'utf8').trim() || 'unknown'
  } catch {
    return checkoutCommit() ?? 'unknown'
  }
}

function checkoutCommit(): string | undefined {
  try {
    const args = ['rev-parse', '--short=12', 'HEAD']
    const cwd = fileURLToPath(root)
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio }).trim()
  } catch {
    return undefined
  }
}

/** Negative, zero or positive, as `a` is older than, equal to or newer than `b`. Both are x.y.z. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
