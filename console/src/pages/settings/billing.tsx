import {
  createBillingPortalSession,
  createCheckoutSession,
} from '@whence/server/features/account/billing/contract.ts'
import {
  getReportingCurrency,
  updateReportingCurrency,
} from '@whence/server/features/account/workspaces/contract.ts'
import { currencies } from '@whence/server/platform/contract/money.ts'
import { messageOf } from '../../api/call.ts'
import { usePlace } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The plan, its payment, and the currency in which profiles are added up. */
export function Billing({ isAdmin }: { isAdmin: boolean }) {
  const { workspace } = usePlace()
  const params = { workspaceId: workspace.id }
  const checkout = useWrite(createCheckoutSession)
  const portal = useWrite(createBillingPortalSession)
  const currency = useRead(getReportingCurrency, { params }).data?.data
  const update = useWrite(updateReportingCurrency, [getReportingCurrency])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const go = ({ data }: { data: { url: string } }) => location.assign(data.url)
  return (
    <Card
      title="Plan and currency"
      actions={
        workspace.role === 'owner' ? (
          <>
            <Button
              busy={checkout.isPending}
              onClick={() =>
                checkout.mutate({ params, body: { plan: 'growth' } }, { onSuccess: go, onError })
              }
            >
              Upgrade to Growth
            </Button>
            <Button
              busy={portal.isPending}
              onClick={() => portal.mutate({ params, body: {} }, { onSuccess: go, onError })}
            >
              Invoices and payment
            </Button>
          </>
        ) : null
      }
    >
      <Choice
        label="Currency across profiles"
        hint="Used where several profiles are added up; each profile keeps its own."
        disabled={!isAdmin || !currency}
        value={currency?.reporting_currency ?? ''}
        options={[
          { value: '', label: 'Each its own' },
          ...currencies.map((value) => ({ value, label: value })),
        ]}
        onChange={(event) =>
          update.mutate({ params, body: { reporting_currency: event.target.value || null } }, { onError })
        }
      />
    </Card>
  )
}
