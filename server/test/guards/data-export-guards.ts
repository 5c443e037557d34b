/** What the promises about data exports rest on. */
import type { Guard } from './guard.ts'

const folder = 'server/src/features/outgoing/data-exports'
const file = `${folder}/safety.test.ts`

export const dataExportGuards: readonly Guard[] = [
  {
    name: 'data exports: an owner or admin decides where data goes',
    file: `${folder}/operations.ts`,
    snippet:
      "  await requireDecider(context, 'Where data is written')\n  if (context.caller.kind !== 'user')",
    replacement: '  if (false)',
    test: { file, title: 'an owner or admin decides where data goes; it is audited and mailed' },
  },
  {
    name: 'data exports: files of a healthcare profile have no hashes of people',
    file: `${folder}/spool-changes.ts`,
    snippet: 'destination.include_identifiers && !isHealthcare(profile)',
    replacement: 'destination.include_identifiers',
    test: { file, title: 'no file contains a personal value' },
  },
  {
    name: 'data exports: after an erasure replaced files are removed at once',
    file: `${folder}/run.ts`,
    snippet: 'const isUrgent = erasures > 0 ||',
    replacement: 'const isUrgent =',
    test: { file, title: 'an erasure starts a run by itself' },
  },
  {
    name: 'data exports: a try that was taken over publishes nothing',
    file: `${folder}/run.ts`,
    snippet: '  await fence(true)\n',
    replacement: '',
    test: {
      file,
      title: 'a try that another one took over, or whose destination was switched off, publishes nothing',
    },
  },
  {
    name: 'data exports: an erasure is seen once the files are gone',
    file: `${folder}/settle-run.ts`,
    snippet: '...(erasures > 0 ? {} : { erasures_seen: written.erasuresSeen }),',
    replacement: 'erasures_seen: written.erasuresSeen,',
    test: {
      file,
      title: 'an erasure is seen only once the files that held the person are gone',
    },
  },
  {
    name: 'data exports: a run without changes still looks at tables that the change number does not count',
    file: `${folder}/spool-changes.ts`,
    snippet: 'if (isUnmoved && isCounted(table.name, scope)) continue',
    replacement: 'if (isUnmoved) continue',
    test: {
      file: `${folder}/unchanged.test.ts`,
      title: 'a run after which nothing moved looks only at tables that are not counted',
    },
  },
  {
    name: 'data exports: a full run knows the days that it wrote by the same sums as the database',
    file: `${folder}/hash-sum.ts`,
    snippet: 'this.low += view.getUint32(at[field]! + 4)',
    replacement: 'this.low += 0',
    test: {
      file: `${folder}/data-exports.test.ts`,
      title: 'only days whose rows changed are written again, and replaced files go after a day',
    },
  },
]
