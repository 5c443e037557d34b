import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, KEY_TEXTS, WorkspaceParams } from '../../../platform/contract/fields.ts'

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

const tabTexts: Record<Tab, string> = {
  top_performers: 'Ads that were scored for the first time',
  recommendations: 'Recommendations that are open',
  experiments: 'Studies that started or ended',
  reports: 'Client reports that are finished',
  patterns: 'Profiles with recomputed creative patterns',
  proposals: 'Merge proposals that are open',
  connections: 'Connections that were added or stopped working',
}
const byTab = <S extends z.ZodType>(schema: S) =>
  z.record(z.enum(tabs), schema).meta({ [KEY_TEXTS]: tabTexts })

export const getTabCounts = endpoint({
  name: 'getTabCounts',
  method: 'GET',
  path: '/workspaces/{workspaceId}/tab-counts',
  summary: 'Count new items per tab of the console',
  description:
    'Counts items in the profiles that you can open, since you last viewed each tab and at most 30 days back: ads scored for the first time, open recommendations, experiments that started or ended, finished reports, profiles with recomputed creative patterns, open merge proposals, and connections that were added or stopped working.',
  tag: 'workspaces',
  noPage: 'api_only',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    since: byTab(Instant).describe('When you last viewed each tab; at most 30 days ago'),
    tabs: byTab(z.int()).describe('Number of new items per tab'),
  }),
})

export const markTabSeen = endpoint({
  name: 'markTabSeen',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/tab-counts/{tab}',
  summary: 'Mark a tab as seen',
  description: 'Resets the count of the tab to 0, for the caller only.',
  tag: 'workspaces',
  noPage: 'api_only',
  access: { kind: 'workspace', role: 'viewer', writes: 'own' },
  params: WorkspaceParams.extend({ tab: z.enum(tabs).describe('Tab of the console') }),
  body: z.strictObject({}).default({}),
  reply: z.object({
    tab: z.enum(tabs).describe('Tab of the console'),
    seen_at: Instant.describe('When it was last seen'),
  }),
})
