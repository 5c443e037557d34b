/** Files that differ from a commit, by default the fork point of main; includes untracked files. */
export function changedFiles(git, commit) {
  const base = commit ?? forkPoint(git)
  if (base === undefined) return undefined
  const lines = (...args) =>
    git(...args)
      .split('\n')
      .filter((line) => line !== '')
  const changed = lines('diff', '--name-only', '--diff-filter=d', base)
  return [...new Set([...changed, ...lines('ls-files', '--others', '--exclude-standard')])].sort()
}

function forkPoint(git) {
  for (const branch of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', branch).trim()
    } catch {
      // This clone has no such branch.
    }
  }
  return undefined
}

/** Tests of lists that a change of these files has to extend. */
const listsOf = [
  {
    of: /^server\/src\/features\/.*\/contract\.ts$/,
    tests: [
      'console/test/every-operation.test.ts',
      'server/test/app-routes.test.ts',
      'server/test/bad-input/bad-input.test.ts',
      'server/test/entitlement.test.ts',
      'server/test/examples/examples.test.ts',
      'server/test/import-rules.test.ts',
    ],
  },
  { of: /^console\/src\/shell\/navigation\.ts$/, tests: ['console/src/pages/help/guide.test.ts'] },
]

/** The test files that changed, the one next to each changed source (`rules.ts` has `rules.test.ts`), and those of its lists. */
export function testsOf(files, exists) {
  const isTest = (file) => /\.test\.tsx?$/.test(file) && !/\.long\.test\.tsx?$/.test(file)
  const nextTo = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|proof)\.tsx?$/.test(file))
    .map((file) => file.replace(/\.(ts|tsx|mjs)$/, '.test.ts'))
  const lists = listsOf.flatMap(({ of, tests }) => (files.some((file) => of.test(file)) ? tests : []))
  return [...new Set([...files.filter(isTest), ...nextTo.filter(exists), ...lists])].sort()
}

/** TypeScript projects that a change may break; the console imports contracts of the server. */
export function typeProjectsOf(files) {
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  const projects = []
  if (sources.some((file) => !/^(console|tracker)\/src\//.test(file))) projects.push('.')
  if (sources.some((file) => /^console\/|contract/.test(file))) projects.push('console')
  if (sources.some((file) => /^tracker\//.test(file))) projects.push('tracker')
  return projects
}
