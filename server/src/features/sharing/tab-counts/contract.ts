import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const tabs = [
  'top_performers',
  'recommendations',
  'experiments',
  'reports',
  'patterns',
  'proposals',
  'connections',
] as const
export type Tab = (typeof tabs)[number]

const byTab = <S extends z.ZodType>(schema: S) => z.record(z.enum(tabs), schema)

export const getTabCounts = endpoint({
  name: 'getTabCounts',
  method: 'GET',
  path: '/workspaces/{workspaceId}/tab-counts',
  summary: 'Count new items per tab of the console',
  description:
    'Counts items in the profiles that you can open, since you last viewed each tab and at most 30 days back: ads scored for the first time, open recommendations, experiments that started or ended, finished reports, profiles with recomputed creative patterns, open merge proposals, and connections that were added or stopped working.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    since: byTab(Instant).describe('When you last viewed each tab; at most 30 days ago'),
    tabs: byTab(z.int()),
  }),
})

export const markTabSeen = endpoint({
  name: 'markTabSeen',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/tab-counts/{tab}',
  summary: 'Mark a tab as seen',
  description: 'Resets the count of the tab to 0, for the caller only.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer', writes: 'own' },
  params: WorkspaceParams.extend({ tab: z.enum(tabs) }),
  body: z.strictObject({}).default({}),
  reply: z.object({ tab: z.enum(tabs), seen_at: Instant }),
})
