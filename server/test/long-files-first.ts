/**
 * The order of test files. Vitest starts large files first until it knows their durations, and on
 * a fresh clone that leaves the longest, which are short to read, for the end, when all but one
 * core are idle. The rest keeps its own order.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Beginnings of paths, longest run first. */
const longest = [
  'server/src/db/embedded.test.ts',
  'server/test/oracle/',
  'console/test/flows.test.ts',
  'console/test/every-page.test.ts',
  'server/test/start.test.ts',
  'server/src/features/connections/sync.test.ts',
  'server/test/every-route.test.ts',
  'server/test/simulation/',
  'server/src/backup/',
  'server/src/features/webhooks/delivery/crash.test.ts',
  'server/src/features/connect/attacks.test.ts',
  'tracker/test/delivering.test.ts',
  'tracker/test/collecting.test.ts',
  'server/test/fuzz.test.ts',
  'server/src/features/connections/connections.test.ts',
  'server/src/features/demo/demo.test.ts',
  'console/test/',
]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root
    const rank = (file: TestSpecification) => {
      const path = relative(root, file.moduleId).replaceAll('\\', '/')
      const found = longest.findIndex((beginning) => path.startsWith(beginning))
      return found === -1 ? longest.length : found
    }
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
