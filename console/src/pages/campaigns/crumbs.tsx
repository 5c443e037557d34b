import { Link } from '@tanstack/react-router'
import { listCampaigns } from '@whence/server/features/reports/contract.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { useReport } from '../../report/use-report.ts'
import type { CampaignSearch } from '../../search.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Level } from './levels.ts'

export type Names = Record<Level, string | undefined> & { open: string | undefined }

/** The names of what is open; the same lists that the tables show, so they cost nothing more. */
export function useNames(search: CampaignSearch): Names {
  const campaign = useName('campaign', search.campaign, undefined)
  const adSet = useName('ad_set', search.ad_set, search.campaign)
  const ad = useName('ad', search.ad, search.ad_set)
  const open = search.ad ? ad : search.ad_set ? adSet : search.campaign ? campaign : undefined
  return { campaign, ad_set: adSet, ad, open }
}

function useName(level: Level, id: string | undefined, parentId: string | undefined): string | undefined {
  const { query } = useReport()
  const rows = useProfileRead(
    listCampaigns,
    { query: { ...query, level, limit: '100', ...(parentId ? { parent_id: parentId } : {}) } },
    { enabled: id !== undefined, keep: true },
  )
  if (id === undefined) return undefined
  const row = rows.data?.data.find((one) => one.campaign_id === id)
  return row ? (row.campaign_name ?? row.platform_id) : rows.data ? 'Not in these days' : ' '
}

export function Crumbs({
  search,
  names,
  withOpen = false,
}: {
  search: CampaignSearch
  names: Names
  /** Also what is open itself, for a page below it. */
  withOpen?: boolean
}) {
  const { profile } = usePlace()
  const steps: { level: Level | 'all'; label: string; search: Partial<CampaignSearch> }[] = [
    { level: 'all', label: 'Campaigns', search: { campaign: undefined, ad_set: undefined, ad: undefined } },
  ]
  if (search.campaign && (search.ad_set || withOpen))
    steps.push({
      level: 'campaign',
      label: names.campaign ?? '',
      search: { ad_set: undefined, ad: undefined },
    })
  if (search.ad_set && (search.ad || withOpen))
    steps.push({ level: 'ad_set', label: names.ad_set ?? '', search: { ad: undefined } })
  if (search.ad && withOpen) steps.push({ level: 'ad', label: names.ad ?? '', search: {} })
  return (
    <nav className="crumbs" aria-label="Path">
      {steps.map((step, index) => (
        <span key={step.level} className="crumb">
          {index === 0 ? null : <Icon name="right" size={12} />}
          <Link
            to="/p/$profileId/campaigns"
            params={{ profileId: profile.id }}
            search={(before) => ({ ...before, ...step.search })}
          >
            {step.label}
          </Link>
        </span>
      ))}
    </nav>
  )
}
