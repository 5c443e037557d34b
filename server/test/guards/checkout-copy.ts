/** A copy of the checkout for mutations: shares the installed packages, but not the workspaces. */
import { cp, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const LEFT_OUT = new Set(['.git', '.whence', 'node_modules'])

export async function copyCheckout(root: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'whence-mutant-'))
  await cp(root, path, {
    recursive: true,
    filter: (source) =>
      !relative(root, source)
        .split('/')
        .some((part) => LEFT_OUT.has(part)),
  })
  for (const folder of ['.', ...(await readdir(root))])
    await linkPackages(join(root, folder, 'node_modules'), join(path, folder, 'node_modules'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Relative links point to workspaces and are recreated, so that they point into the copy. */
async function linkPackages(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => [])
  if (names.length > 0) await mkdir(to, { recursive: true })
  for (const name of names) {
    const source = join(from, name)
    if (name.startsWith('.') && name !== '.bin') continue
    if ((await lstat(source)).isSymbolicLink()) await symlink(await readlink(source), join(to, name))
    else if (name.startsWith('@')) await linkPackages(source, join(to, name))
    else await symlink(source, join(to, name))
  }
}
