// Makes a lean install small once console and tracker are built: nothing removed here is read by a running service.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** C headers of Node, and of every package its source maps, type declarations and yarn itself; npm has no option to leave them out. */
const unreadFolders = /(?:^|\/)(?:node-(?:linux|darwin|win)-[^/]+\/(?:include|share)|\.yarn)$/
const unreadFiles = /\.(?:map|d\.[cm]?ts)$/
/** Reports use two weights of the font; the package has eighteen. */
const unreadFonts = /^@expo-google-fonts\/noto-sans\/(?!400Regular$|600SemiBold$)\d+[A-Za-z_]+$/

/**
 * Paths of the lockfile that only building needs: packages that no workspace but console and tracker depends on.
 * A package is looked up as Node does, from the folder of its dependent upwards.
 */
export function buildPackages(locked) {
  const needed = new Set()
  const pending = ['', 'server', 'sandbox', 'sdk', 'engine']
  while (pending.length > 0) {
    const from = pending.pop()
    if (needed.has(from)) continue
    needed.add(from)
    const { dependencies, optionalDependencies, peerDependencies, resolved, link } = locked[from] ?? {}
    if (link) pending.push(resolved)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = findPackage(locked, from, name)
      if (path !== undefined) pending.push(path)
    }
  }
  return Object.keys(locked).filter(
    (path) => path.includes('node_modules/') && !needed.has(path) && !locked[path].dev && !locked[path].link,
  )
}

function findPackage(locked, from, name) {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)(?:node_modules\/)?(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (locked[path]) return path
    if (folder === '') return undefined
  }
}

/** Prunes an install without development packages; others need what is removed here. */
export function prune(root) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  const installed = JSON.parse(readFileSync(installedFile, 'utf8'))
  if (Object.values(installed.packages).some(({ dev }) => dev)) return
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const removed = buildPackages(locked).filter((path) => installed.packages[path])
  if (removed.length === 0) return
  for (const path of removed) {
    delete installed.packages[path]
    rmSync(join(root, path), { recursive: true, force: true })
  }
  removeUnread(join(root, 'node_modules'))
  writeFileSync(installedFile, `${JSON.stringify(installed, null, 2)}\n`)
}

function removeUnread(folder, within = '') {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    const isUnread = entry.isDirectory()
      ? unreadFolders.test(path) || unreadFonts.test(path)
      : unreadFiles.test(entry.name)
    if (isUnread) rmSync(join(folder, entry.name), { recursive: true })
    else if (entry.isDirectory()) removeUnread(join(folder, entry.name), path)
  }
}
