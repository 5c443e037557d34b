import { type DataOf, listUnattributedConversions, type UnattributedReason } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { providerName } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { conversionColumns } from '../campaigns/conversion-columns.tsx'
import { reasons } from './reasons.ts'

type Row = DataOf<typeof listUnattributedConversions>[number]

/** The sales of one reason, each linked to its journey. */
export function ReasonSales({ reason, currency }: { reason: UnattributedReason; currency: string }) {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const sales = usePages(
    listUnattributedConversions,
    inProfile({ query: { ...query, reason, limit: 20 } }, profile.id),
  )
  const source: Column<Row> = {
    id: 'source',
    label: 'Came from',
    value: (row) => row.source,
    cell: (row) =>
      row.source === null ? '–' : reason === 'click_without_ad' ? providerName(row.source) : row.source,
  }
  const [name, ...otherColumns] = conversionColumns(profile, currency, 'unattributed')
  return (
    <Card
      title={`${reasons[reason].name}: all sales`}
      note="Refunds count on the day they were paid back. Open one to see its journey."
      flush
    >
      <PagedTable
        label="Conversions of this reason"
        query={sales}
        columns={[name!, source, ...otherColumns]}
        rowKey={(row) => row.refund_id ?? row.conversion_id}
        initialSort={{ id: 'at', descending: true }}
        empty={<Empty icon="check" title="No sales in these days" />}
        linked
        cards
      />
    </Card>
  )
}
