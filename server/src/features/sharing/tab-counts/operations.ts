import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles } from '../../../platform/access/open-profiles.ts'
import type { Scope } from '../../../platform/contract/access.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Tab, tabs } from './contract.ts'
import { countNew, listViewTimes, saveViewTime } from './queries.ts'

const NEW_FOR_MS = 30 * DAY_MS

/** Scopes required by the pages of the tabs. */
const requiredScope: Partial<Record<Tab, Scope>> = {
  proposals: 'identity:read',
  connections: 'connections:read',
}

const perTab = <T>(value: (tab: Tab) => T) =>
  Object.fromEntries(tabs.map((tab) => [tab, value(tab)])) as Record<Tab, T>

export async function getTabCounts(context: WorkspaceContext) {
  const { db, workspaceId, caller, now } = context
  const viewTimes = await listViewTimes(db, { workspaceId, userId: caller.userId })
  const oldest = new Date(now.getTime() - NEW_FOR_MS)
  const since = perTab((tab) => {
    const viewedAt = viewTimes.get(tab)
    return viewedAt !== undefined && viewedAt > oldest ? viewedAt : oldest
  })
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read' })
  const counts = await Promise.all(
    profiles.map(async ({ id: profileId, scopes }) => {
      const newItems = await countNew(db, { profileId, since, now })
      return perTab((tab) => (scopes.includes(requiredScope[tab] ?? 'campaigns:read') ? newItems[tab] : 0))
    }),
  )
  return {
    since: perTab((tab) => since[tab]),
    tabs: perTab((tab) => counts.reduce((sum, count) => sum + count[tab], 0)),
  }
}

export async function markTabSeen({ db, workspaceId, caller, now }: WorkspaceContext, tab: Tab) {
  await saveViewTime(db, { workspaceId, userId: caller.userId, tab, now })
  return { tab, seen_at: now }
}
