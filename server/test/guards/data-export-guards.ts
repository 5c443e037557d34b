/** Guards of data exports. */
import type { Guard } from './guard.ts'

const folder = 'server/src/features/outgoing/data-exports'
const file = `${folder}/safety.test.ts`

export const dataExportGuards: readonly Guard[] = [
  {
    name: 'data exports: an owner or admin decides where data goes',
    file: `${folder}/operations.ts`,
    snippet: "  if (context.caller.kind !== 'user' || !(await canDecide(context)))",
    replacement: '  if (false)',
    test: {
      file,
      title:
        'only an owner or admin may create a destination; it is audited, mailed and invisible to other tenants',
    },
  },
  {
    name: 'data exports: files of a healthcare profile have no hashes of people',
    file: `${folder}/spool-changes.ts`,
    snippet: 'destination.include_identifiers && !isHealthcare(profile)',
    replacement: 'destination.include_identifiers',
    test: { file, title: 'files contain no personal values, and hashes only if an owner allows them' },
  },
  {
    name: 'data exports: after an erasure replaced files are removed immediately',
    file: `${folder}/run.ts`,
    snippet: 'erasures > 0 || (previousRunIncludedIdentifiers',
    replacement: '(previousRunIncludedIdentifiers',
    test: {
      file,
      title: 'an erasure starts a run, which immediately removes the files that contained the person',
    },
  },
  {
    name: 'data exports: an attempt that was taken over publishes nothing',
    file: `${folder}/run.ts`,
    snippet: '  await fence(true)\n',
    replacement: '',
    test: {
      file,
      title: 'an attempt that was taken over, or whose destination was disabled, publishes nothing',
    },
  },
  {
    name: 'data exports: an erasure is pending until the files are removed',
    file: `${folder}/settle-run.ts`,
    snippet: '...(erasures > 0 ? {} : { erasures_seen: result.erasuresSeen }),',
    replacement: 'erasures_seen: result.erasuresSeen,',
    test: {
      file,
      title: 'an erasure counts as pending until the files that contained the person are removed',
    },
  },
  {
    name: 'data exports: a run without a new change number still reads tables that do not increment it',
    file: `${folder}/spool-changes.ts`,
    snippet: 'if (isUnchanged && movesChangeNumber(table.name, scope)) continue',
    replacement: 'if (isUnchanged) continue',
    test: {
      file: `${folder}/unchanged.test.ts`,
      title: 'a run without a new change number reads only tables that do not move it',
    },
  },
  {
    name: 'data exports: a full run computes the same fingerprints as the database',
    file: `${folder}/hash-sum.ts`,
    snippet: 'this.low += view.getUint32(at[field]! + 4)',
    replacement: 'this.low += 0',
    test: {
      file: `${folder}/data-exports.test.ts`,
      title: 'only days whose rows changed are written again, and replaced files are removed after a day',
    },
  },
  {
    name: 'local days: queries use the zone data of the service, not those of PostgreSQL',
    file: 'server/src/platform/db/local-day.ts',
    snippet: '  const changes = clockChanges(zone, start, end)\n',
    replacement:
      '  if (start) return sql`(${instant} at time zone ${sql.lit(zone)})::date`\n  const changes = clockChanges(zone, start, end)\n',
    test: {
      file: 'server/src/platform/db/local-day.test.ts',
      title: 'in %s the days of a query are those that the service computes',
    },
  },
]
