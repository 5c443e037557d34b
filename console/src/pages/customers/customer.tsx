import { useParams } from '@tanstack/react-router'
import { getCustomer } from '@whence/server/features/customers/contract.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { count, money, plural } from '../../format/numbers.ts'
import { dayText, today } from '../../format/times.ts'
import { identifierName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { customerName, customerReach } from './customer-name.ts'
import { Journey } from './journey.tsx'

/** One person with the whole journey across devices. */
export function CustomerPage() {
  const { profile } = usePlace()
  const { customerId } = useParams({ from: '/p/$profileId/customers/$customerId' })
  const customer = useProfileRead(getCustomer, { params: { id: customerId } })
  const data = customer.data?.data
  const seen = (at: string | null) =>
    at === null ? '–' : dayText(today(profile.timezone, new Date(at)), true)
  return (
    <Page title={data ? customerName(data) : 'Customer'} note={data ? customerReach(data) : undefined}>
      <Loaded query={customer}>
        {({ data }) => (
          <>
            {data.merged_customer_ids.length > 0 ? (
              <Notice>
                {plural(data.merged_customer_ids.length, 'other customer')} merged into this one. The merge
                can be undone.
              </Notice>
            ) : null}
            <dl className="grid-stats">
              <Stat
                label="Revenue"
                value={money(data.revenue, profile.currency)}
                beside="refunds subtracted"
              />
              <Stat label="Payments" value={count(data.payments)} />
              <Stat label="Conversions" value={count(data.conversions)} />
              <Stat label="First seen" value={seen(data.first_seen_at)} />
            </dl>
            <Card title="Known by" note="Identifiers are kept as hashes; what they stand for is not shown.">
              <div className="toolbar">
                {data.identifiers.map(({ identifier_id, kind }) => (
                  <Badge key={identifier_id}>{identifierName(kind)}</Badge>
                ))}
              </div>
            </Card>
            <Card
              title="Journey"
              note={data.journey_truncated ? 'The newest 500 visits, conversions and payments.' : undefined}
            >
              {data.journey.length === 0 ? (
                <Empty icon="people" title="Nothing recorded yet" />
              ) : (
                <Journey entries={data.journey} profileId={profile.id} timeZone={profile.timezone} />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}
