import { getUtmHealth, scanUtmHealth, type UtmFinding, type UtmProblem } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count, money, NONE, plural } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

const names: Record<UtmProblem, string> = {
  missing_tags: 'Parameters missing',
  contradictory_tags: 'Parameters contradict',
  unexpanded_macro: 'Macro not replaced',
  unknown_ad_id: 'Unknown ad',
  shared_utm: 'Shared by campaigns',
  tags_lost: 'Lost before the landing page',
}

/** Checks whether clicks on each ad arrive with the ad's tags. */
export function AdTags() {
  const { profile } = useProfileContext()
  const health = useProfileRead(getUtmHealth)
  const scan = useProfileWrite(scanUtmHealth, [getUtmHealth])
  return (
    <Loaded query={health}>
      {({ data }) => (
        <Card
          title="Ad tags"
          note={
            data.scanned_at === null
              ? 'Checks the addresses of your ads and the visits of the last 30 days.'
              : `Checked ${agoText(data.scanned_at)}: ${count(data.ads_with_problems)} of ${plural(data.ads, 'ad')} with a problem, ${money(data.spend_with_problems, profile.currency)} of ${money(data.spend, profile.currency)} spent on them in 30 days.`
          }
          actions={
            <Button busy={scan.isPending} onClick={() => scan.mutate({ body: {} })}>
              Check now
            </Button>
          }
          flush={data.findings.length > 0}
        >
          {scan.isError ? <Notice tone="warn">{messageOf(scan.error)}</Notice> : null}
          {data.status === 'no_ads' ? (
            <Notice tone="plain">No ads had spend or clicks in the last 30 days.</Notice>
          ) : null}
          {data.status === 'healthy' ? <Notice tone="good">No problems found.</Notice> : null}
          {data.findings.length === 0 ? null : (
            <DataTable
              label="Problems with ad tags"
              columns={columnsFor(profile.currency)}
              rows={data.findings}
              rowKey={(row) => `${row.code} ${row.ad?.id ?? ''} ${row.value ?? ''}`}
            />
          )}
        </Card>
      )}
    </Loaded>
  )
}

const columnsFor = (currency: string): Column<UtmFinding>[] => [
  {
    id: 'ad',
    label: 'Ad',
    value: (row) => row.ad?.name ?? row.ad?.platform_id ?? row.value,
    cell: (row) => row.ad?.name ?? row.ad?.platform_id ?? row.value ?? NONE,
  },
  col.text('code', 'Problem', (row) => names[row.code]),
  { id: 'message', label: 'Details', cell: (row) => row.message },
  {
    id: 'spend',
    label: 'Spend',
    number: true,
    value: (row) => row.spend,
    cell: (row) => (row.spend === null ? NONE : money(row.spend, currency)),
  },
  {
    id: 'template',
    label: 'Fix',
    cell: (row) =>
      row.template === null ? NONE : <CopyButton text={row.template} label="Copy parameters" />,
  },
]
