import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles } from '../../../platform/access/open-profiles.ts'
import type { Scope } from '../../../platform/contract/access.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Tab, tabs } from './contract.ts'
import { countNew, listLooks, saveLook } from './queries.ts'

const NEW_FOR_MS = 30 * DAY_MS

/** What the tab's own page needs. */
const neededScope: Partial<Record<Tab, Scope>> = {
  proposals: 'identity:read',
  connections: 'connections:read',
}

const ofTabs = <T>(value: (tab: Tab) => T) =>
  Object.fromEntries(tabs.map((tab) => [tab, value(tab)])) as Record<Tab, T>

export async function getTabCounts(context: WorkspaceContext) {
  const { db, workspaceId, caller, now } = context
  const looks = await listLooks(db, { workspaceId, userId: caller.userId })
  const oldest = new Date(now.getTime() - NEW_FOR_MS)
  const since = ofTabs((tab) => {
    const look = looks.get(tab)
    return look !== undefined && look > oldest ? look : oldest
  })
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read' })
  const counts = await Promise.all(
    profiles.map(async ({ id: profileId, scopes }) => {
      const found = await countNew(db, { profileId, since, now })
      return ofTabs((tab) => (scopes.includes(neededScope[tab] ?? 'campaigns:read') ? found[tab] : 0))
    }),
  )
  return {
    since: ofTabs((tab) => since[tab]),
    tabs: ofTabs((tab) => counts.reduce((sum, found) => sum + found[tab], 0)),
  }
}

export async function markTabSeen({ db, workspaceId, caller, now }: WorkspaceContext, tab: Tab) {
  await saveLook(db, { workspaceId, userId: caller.userId, tab, now })
  return { tab, seen_at: now }
}
