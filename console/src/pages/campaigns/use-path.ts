import { getCampaign } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { useReport } from '../../report/use-report.ts'
import type { CampaignSearch } from '../../search.ts'
import type { Parent } from './crumbs.tsx'
import { openIdOf } from './levels.ts'

/** The open entity of the report and its parents, for a page below it. */
export function usePath(search: CampaignSearch): Parent[] {
  const { query } = useReport()
  const id = openIdOf(search)
  const entity = useProfileRead(
    getCampaign,
    { params: { id: id ?? '' }, query },
    { enabled: id !== undefined },
  ).data?.data
  if (!entity || id === undefined) return []
  const { entity_level, campaign_id, campaign_name } = entity
  return [...entity.parents, { entity_level, campaign_id, name: campaign_name }]
}
