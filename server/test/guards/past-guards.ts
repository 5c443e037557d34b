/** Reports of the past are reproduced exactly, and changed reports are never treated as unchanged. */
import type { Guard } from './guard.ts'

const changes = 'server/src/features/insights/changes/changes.test.ts'
const asOf = 'server/src/features/figures/snapshot/as-of.ts'
const notKnown = 'is rejected before the first ledger day, for open days and for the future'
const reports = 'server/src/features/insights/reports'
const revalidate = `${reports}/revalidate.ts`
const unchanged = `${reports}/revalidate.test.ts`
const randomWrites = `${reports}/revalidate.random.test.ts`
const equalsComputed = 'cached and unchanged responses equal computed ones'

export const pastGuards: readonly Guard[] = [
  {
    name: 'restatements: a write saves what it changes of closed days',
    file: 'server/src/features/facts/restatements/save-restatements.ts',
    snippet: '  await restatements.save()\n',
    replacement: '',
    test: { file: changes, title: 'each cause is recorded separately with its changes' },
  },
  {
    name: 'restatements: conversions without a possible visit are recorded',
    file: 'server/src/features/attribution/crediting/credits/uncredited.ts',
    snippet: '    restatements.add(reason, deltas.map(toChange))\n    sums',
    replacement: '    sums',
    test: { file: changes, title: 'each cause is recorded separately with its changes' },
  },
  {
    name: 'restatements: paid clicks of closed days are recorded',
    file: 'server/src/features/attribution/crediting/touches.ts',
    snippet: '  restateClicks(clicks, restated)\n',
    replacement: '',
    test: { file: changes, title: 'each cause is recorded separately with its changes' },
  },
  {
    name: 'as_of: days that were open at that time are refused',
    file: asOf,
    snippet: 'if (range.to > lastClosed)',
    replacement: "if (range.to > lastClosed && field === '')",
    test: { file: changes, title: notKnown },
  },
  {
    name: 'as_of: times before the first ledger day are refused',
    file: asOf,
    snippet: 'if (asOf < since)',
    replacement: "if (asOf < since && field === '')",
    test: { file: changes, title: notKnown },
  },
  {
    name: 'unchanged reports: taking the lock increments the number',
    file: 'server/src/platform/db/profile-lock.ts',
    snippet: 'if (rows.length > 0) return upsertReportVersion(tx, profileId, true)',
    replacement: 'if (rows.length > 0) return',
    test: { file: randomWrites, title: equalsComputed },
  },
  {
    name: 'unchanged reports: a batch of events increments the number',
    file: 'server/src/features/attribution/pipeline/process.ts',
    snippet: 'await incrementReportVersionLocked(tx, profileId)',
    replacement: '',
    test: { file: randomWrites, title: equalsComputed },
  },
  {
    name: 'unchanged reports: a change at a platform increments the number',
    file: 'server/src/features/facts/ads/applied-settings.ts',
    snippet: 'await incrementReportVersion(tx, profileId)',
    replacement: '',
    test: { file: randomWrites, title: equalsComputed },
  },
  {
    name: 'unchanged reports: a response from before a commit is not cached under a later number',
    file: revalidate,
    snippet: '|| etagOf(route, context, input, after) !== etag) return answer',
    replacement: '|| after === before) return answer',
    test: { file: unchanged, title: 'a response computed while a change was committed is not cached' },
  },
  {
    name: 'unchanged reports: another profile has another ETag',
    file: revalidate,
    snippet: '    profile,\n    [caller.kind',
    replacement: '    [caller.kind',
    test: { file: unchanged, title: 'ETags of different profiles differ, even with equal change numbers' },
  },
  {
    name: 'unchanged reports: other permissions have another ETag',
    file: revalidate,
    snippet: "[caller.kind, caller.kind === 'key' ? caller.appId : null, role, ...scopes],",
    replacement: '',
    test: { file: unchanged, title: 'ETags differ on the next day and for another caller' },
  },
]
