import { expect, it } from 'vitest'
import { changedFiles, testsOf, typeProjectsOf } from './changed-files.mjs'

/** A fake git with recorded answers. */
const git =
  (answers: Record<string, string>) =>
  (...args: string[]) => {
    const answer = answers[args.join(' ')]
    if (answer === undefined) throw new Error(`fatal: ${args.join(' ')}`)
    return answer
  }

it('lists each file changed since the fork point of main once, including new files', () => {
  const answers = {
    'merge-base HEAD origin/main': 'abc\n',
    'diff --name-only --diff-filter=d abc': 'b.ts\na.ts\n',
    'ls-files --others --exclude-standard': 'c.ts\na.ts\n',
  }
  expect(changedFiles(git(answers), undefined)).toEqual(['a.ts', 'b.ts', 'c.ts'])
})

it('a clone without main needs a commit', () => {
  expect(changedFiles(git({}), undefined)).toBeUndefined()
})

it('selects changed tests and those next to a changed source, except long tests', () => {
  const files = ['server/src/a.ts', 'server/src/b.ts', 'server/test/c.test.ts', 'server/test/d.long.test.ts']
  const exists = (path: string) => path === 'server/src/a.test.ts'
  expect(testsOf(files, exists)).toEqual(['server/src/a.test.ts', 'server/test/c.test.ts'])
})

it('selects the tests of the lists that a route or a page of the menu has to be added to', () => {
  const none = () => false
  expect(testsOf(['server/src/features/facts/events/contract.ts'], none)).toContain(
    'server/test/app-routes.test.ts',
  )
  expect(testsOf(['console/src/shell/navigation.ts'], none)).toEqual(['console/src/pages/help/guide.test.ts'])
  expect(testsOf(['server/src/features/facts/events/queries.ts'], none)).toEqual([])
})

it('checks the types of projects that a change can break', () => {
  expect(typeProjectsOf(['server/src/features/events/queries.ts'])).toEqual(['.'])
  expect(typeProjectsOf(['server/src/features/events/contract.ts'])).toEqual(['.', 'console'])
  expect(typeProjectsOf(['console/src/main.tsx'])).toEqual(['console'])
  expect(typeProjectsOf(['docs/testing.md'])).toEqual([])
})
