import { listCampaignConversions } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { modelNames } from '../../names/models.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { conversionColumns } from './conversion-columns.tsx'

/** Conversions credited to the open campaign, ad set or ad. */
export function Conversions({ entityId, currency }: { entityId: string; currency: string }) {
  const { profile } = useProfileContext()
  const { query, model } = useReport()
  const conversions = usePages(
    listCampaignConversions,
    inProfile({ params: { id: entityId }, query: { ...query, limit: 50 } }, profile.id),
  )
  return (
    <Card
      title="Credited conversions and refunds"
      note={`${modelNames[model].name}. Cash rows, refunds included, add up to the revenue above. Open one to see why it was credited.`}
      flush
    >
      <PagedTable
        label="Credited conversions"
        query={conversions}
        columns={conversionColumns(profile, currency)}
        rowKey={(row) => row.refund_id ?? row.conversion_id}
        initialSort={{ id: 'at', descending: true }}
        empty={
          <Empty icon="campaigns" title="No credited conversions in these days">
            Choose other dates or another model.
          </Empty>
        }
        linked
        cards
      />
    </Card>
  )
}
