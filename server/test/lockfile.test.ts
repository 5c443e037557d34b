/** Supply chain: every package of the lockfile is pinned by its content hash. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Entry = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Entry> }
const installed = Object.entries(packages).filter(
  ([path, entry]) => path.includes('node_modules/') && entry.link !== true,
)

it('every package of the lockfile has an integrity hash', () => {
  expect(installed.length).toBeGreaterThan(100)
  const without = installed.filter(
    ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
  )
  expect(without.map(([path]) => path)).toEqual([])
})

it('no package comes from a repository or a file, and every dependency of ours has one exact version', () => {
  const elsewhere = installed.filter(
    ([, { resolved }]) => resolved !== undefined && !/^https:\/\/.*\.tgz$/.test(resolved),
  )
  expect(elsewhere.map(([path]) => path)).toEqual([])
  const packageFolders = ['', 'engine', 'server', 'sandbox', 'tracker', 'console', 'bench']
  const loose = packageFolders.flatMap((folder) => {
    const file = new URL(`../../${folder}${folder === '' ? '' : '/'}package.json`, import.meta.url)
    const {
      dependencies = {},
      devDependencies = {},
      optionalDependencies = {},
    } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([name, version]) => !name.startsWith('@whence/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${folder || 'root'}: ${name} ${version}`)
  })
  expect(loose).toEqual([])
})

it('every package with an install script is listed in allowScripts, and only reviewed scripts run', () => {
  const { allowScripts } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    allowScripts: Record<string, boolean>
  }
  const withScript = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted())
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node', 'esbuild'])
})
