import { Link, useParams } from '@tanstack/react-router'
import { getCustomer } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money } from '../../format/numbers.ts'
import { dayText, instantText, today } from '../../format/times.ts'
import { identifierName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Links } from '../identity/links.tsx'
import { customerName, customerReach } from './customer-name.ts'
import { Journey } from './journey.tsx'
import { Merges } from './merges.tsx'

/** One customer with the journey across all devices. */
export function CustomerPage() {
  const { profile } = useProfileContext()
  const { customerId } = useParams({ from: '/p/$profileId/customers/$customerId' })
  const customer = useProfileRead(getCustomer, { params: { id: customerId } })
  const data = customer.data?.data
  const dayOf = (at: string | null) =>
    at === null ? '–' : dayText(today(profile.timezone, new Date(at)), true)
  return (
    <Page title={data ? customerName(data) : 'Customer'} note={data ? customerReach(data) : undefined}>
      <Loaded query={customer}>
        {({ data }) => (
          <>
            {data.merged_customer_ids.length > 0 ? <Merges customerId={data.customer_id} /> : null}
            <dl className="grid-stats">
              <Stat
                label="Revenue"
                value={money(data.revenue, profile.currency)}
                detail="refunds subtracted"
              />
              <Stat label="Payments" value={count(data.payments)} />
              <Stat label="Conversions" value={count(data.conversions)} />
              <Stat label="First seen" value={dayOf(data.first_seen_at)} />
            </dl>
            <div className="platforms">
              <Card title="Identifiers" note="Stored as hashes; values are not shown.">
                <div className="toolbar">
                  {data.identifiers.map(({ identifier_id, kind }) => (
                    <Badge key={identifier_id}>{identifierName(kind)}</Badge>
                  ))}
                </div>
              </Card>
              <Card title="Consent" note={consentNote(data.consent?.told_at, profile.timezone)}>
                <dl className="pairs">
                  <dt>Use of data for ads</dt>
                  <dd>
                    <ConsentBadge state={data.consent?.ad_user_data} />
                  </dd>
                  <dt>Personalised ads</dt>
                  <dd>
                    <ConsentBadge state={data.consent?.ad_personalization} />
                  </dd>
                  <dt>Audiences</dt>
                  <dd>
                    {data.excluded_from_audiences ? (
                      <Badge tone="bad">Excluded</Badge>
                    ) : (
                      <Badge>Allowed</Badge>
                    )}
                  </dd>
                  <dt>Their data</dt>
                  <dd>
                    <Link
                      to="/p/$profileId/settings"
                      params={{ profileId: profile.id }}
                      search={(before) => ({ ...before, tab: 'privacy', person: data.customer_id })}
                    >
                      Export data
                    </Link>
                  </dd>
                  <dt>Erasure</dt>
                  <dd>
                    <Link
                      to="/p/$profileId/settings"
                      params={{ profileId: profile.id }}
                      search={(before) => ({ ...before, tab: 'privacy', erase: data.customer_id })}
                    >
                      Erase this person
                    </Link>
                  </dd>
                </dl>
              </Card>
            </div>
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
            {data.identifiers.length > 1 ? <Links customerId={data.customer_id} /> : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const states = {
  granted: { label: 'Granted', tone: 'good' },
  denied: { label: 'Denied', tone: 'bad' },
  unspecified: { label: 'Unknown', tone: 'plain' },
} as const

function ConsentBadge({ state = 'unspecified' }: { state?: keyof typeof states | undefined }) {
  return <Badge tone={states[state].tone}>{states[state].label}</Badge>
}

function consentNote(reportedAt: string | undefined, timeZone: string): string {
  return reportedAt
    ? `From the conversion of ${instantText(reportedAt, timeZone)}.`
    : 'No event of this person contains consent. Each goal’s default applies to conversions that are sent.'
}
