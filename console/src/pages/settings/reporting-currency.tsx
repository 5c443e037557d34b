import { getReportingCurrency, updateReportingCurrency } from '@whence/sdk'
import { currencies } from '@whence/server/platform/contract/money.ts'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The currency for totals across profiles. */
export function ReportingCurrency({ isAdmin }: { isAdmin: boolean }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const currency = useRead(getReportingCurrency, { params }).data?.data
  const update = useWrite(updateReportingCurrency, [getReportingCurrency])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  return (
    <Card title="Currency">
      <Choice
        label="Currency across profiles"
        hint="Used for totals across profiles; each profile keeps its own currency."
        disabled={!isAdmin || !currency}
        value={currency?.reporting_currency ?? ''}
        options={[
          { value: '', label: 'Each profile’s own currency' },
          ...currencies.map((value) => ({ value, label: value })),
        ]}
        onChange={(event) =>
          update.mutate({ params, body: { reporting_currency: event.target.value || null } }, { onError })
        }
      />
    </Card>
  )
}
