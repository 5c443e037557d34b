import {
  createBillingPortalSession,
  createCheckoutSession,
  type DataOf,
  getSubscription,
  selectStorePlan,
} from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { dayText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Subscription = DataOf<typeof getSubscription>

/** The plan, its payment status and buttons to change it. */
export function PlanCard() {
  const { workspace } = useProfileContext()
  const subscription = useRead(getSubscription, { params: { workspaceId: workspace.id } })
  return (
    <Loaded query={subscription} skeleton={null}>
      {({ data }) => (
        <Card
          title="Plan"
          actions={
            workspace.role === 'owner' && data.billed_by !== 'none' ? <PlanActions current={data} /> : null
          }
        >
          <dl className="pairs">
            <dt>Plan</dt>
            <dd>
              {sentence(data.plan)} <Badge tone={tones[data.status]}>{statusText[data.status]}</Badge>
            </dd>
            <dt>Payment</dt>
            <dd>{paymentText(data)}</dd>
            <dt>Profiles</dt>
            <dd>
              {data.active_profiles.used} of {data.active_profiles.limit}
            </dd>
          </dl>
        </Card>
      )}
    </Loaded>
  )
}

const statusText = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Payment due',
  canceled: 'Ended',
} as const
const tones = { trialing: 'plain', active: 'good', past_due: 'warn', canceled: 'bad' } as const

function paymentText(data: Subscription): string {
  const day = (instant: string) => dayText(instant.slice(0, 10), true)
  if (data.billed_by === 'none') return 'Plans are not billed on this deployment'
  if (data.cancels_at !== null) return `Cancelled: ends on ${day(data.cancels_at)}`
  switch (data.status) {
    case 'trialing':
      return data.trial_ends_at === null ? 'Trial' : `Trial until ${day(data.trial_ends_at)}`
    case 'past_due':
      return 'No payment received. Check your payment method.'
    case 'canceled':
      return 'The plan has ended. Profiles are kept, but new ones need a plan.'
    case 'active':
      return data.current_period_end === null ? 'Free' : `Next payment on ${day(data.current_period_end)}`
  }
}

function PlanActions({ current }: { current: Subscription }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const checkout = useWrite(createCheckoutSession)
  const store = useWrite(selectStorePlan)
  const portal = useWrite(createBillingPortalSession)
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const onSuccess = ({ data }: { data: { url: string } }) => location.assign(data.url)
  const isPaid = current.status === 'active' || current.status === 'past_due'
  const isStore = current.billed_by === 'store'
  return (
    <>
      {(['growth', 'agency'] as const)
        .filter((plan) => !isPaid || plan !== current.plan)
        .map((plan) => (
          <Button
            key={plan}
            busy={checkout.isPending || store.isPending}
            onClick={() =>
              (isStore ? store : checkout).mutate({ params, body: { plan } }, { onSuccess, onError })
            }
          >
            {isPaid && current.plan !== 'starter' ? 'Change to' : 'Choose'} {sentence(plan)}
          </Button>
        ))}
      {isStore || current.plan === 'starter' || current.status === 'trialing' ? null : (
        <Button
          busy={portal.isPending}
          onClick={() => portal.mutate({ params, body: {} }, { onSuccess, onError })}
        >
          Invoices and payment
        </Button>
      )}
    </>
  )
}
