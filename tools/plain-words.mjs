// npm run words: counts the words that docs/writing.md advises against, per file.
// `--lower` lowers the numbers of tools/plain-words.json to the current counts; it never raises one.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, say } from './project.mjs'

const words =
  /\b(told|tells|whoever|whom|nobody|stands|standing|lies|anew|is asked|was asked|mend(?:s|ed)?|beside|in words|lapsed|keeps? house)\b/gi
/** Migrations cannot change once they ran; the others list the words themselves or are generated. */
const exempt =
  /(^|\/)migrations\/|^docs\/writing\.md$|^tools\/plain-words|(^|\/)schema\.ts$|^docs\/decisions\/README\.md$/

export function countWords(text) {
  return text.match(words)?.length ?? 0
}

/** Files that people read, with their number of words to avoid. */
export function countAll() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter(
      (file) => /\.(ts|tsx|mjs|md|sql)$/.test(file) && !exempt.test(file) && existsSync(join(root, file)),
    )
  return new Map(files.map((file) => [file, countWords(readFileSync(join(root, file), 'utf8'))]))
}

export function readAllowed() {
  return new Map(Object.entries(JSON.parse(readFileSync(listFile, 'utf8'))))
}

/**
 * The allowed count of each file. A moved file keeps its allowance: that of a missing path goes to new
 * files with the same name.
 */
export function allowances(allowed, files) {
  const left = new Map()
  for (const [path, number] of allowed)
    if (!files.has(path)) left.set(basename(path), (left.get(basename(path)) ?? 0) + number)
  return new Map(
    [...files].map(([path, count]) => {
      const listed = allowed.get(path)
      if (listed !== undefined) return [path, listed]
      const number = Math.min(count, left.get(basename(path)) ?? 0)
      left.set(basename(path), (left.get(basename(path)) ?? 0) - number)
      return [path, number]
    }),
  )
}

/** The new list: the lower of the allowed and the current count. */
export function lowered(allowed, files) {
  const entries = [...allowances(allowed, files)]
    .map(([path, number]) => [path, Math.min(number, files.get(path))])
    .filter(([, number]) => number > 0)
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const listFile = fileURLToPath(new URL('plain-words.json', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = countAll()
  const next = lowered(readAllowed(), files)
  if (process.argv.includes('--lower'))
    writeFileSync(listFile, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`)
  const total = [...files.values()].reduce((sum, count) => sum + count, 0)
  const most = [...files].sort(([, a], [, b]) => b - a).slice(0, 20)
  for (const [path, count] of most) if (count > 0) say(`${String(count).padStart(5)}  ${path}`)
  say(`${total} in all; ${[...next.values()].reduce((sum, count) => sum + count, 0)} allowed`)
}
