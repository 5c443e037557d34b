import { createAudience, type DataOf, listConnections, listGoals } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { today } from '../../format/times.ts'
import { providerName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'

type Counted = DataOf<typeof createAudience>

/** Customers who match a filter, counted first, then put on a list at an ad platform. */
export function NewAudience() {
  const { profile } = useProfileContext()
  const connections = useProfileRead(listConnections)
  const accounts = (connections.data?.data ?? []).filter(({ channel }) =>
    ['social_ads', 'engine_ads'].includes(channel),
  )
  const goals = useProfileRead(listGoals).data?.data ?? []
  const outcomes = new Map(goals.map((goal) => [goal.outcome_type, goal.display_name]))
  const now = today(profile.timezone)
  const { values, bind } = useFields({
    account: '',
    name: '',
    from: addDays(now, -89),
    to: now,
    outcome: '',
    least: '',
    most: '',
  })
  const [noneSince, setNoneSince] = useState(false)
  const [agreed, setAgreed] = useState(false)
  const [terms, setTerms] = useState(false)
  const [counted, setCounted] = useState<{ for: string; data: Counted } | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [sent, setSent] = useState<Counted | null>(null)
  const write = useProfileWrite(createAudience)
  const account = accounts.find(({ id }) => id === values.account) ?? accounts[0]
  const stated = agreed ? ('granted' as const) : ('unspecified' as const)
  const audience = {
    connection_id: account?.id ?? '',
    name: values.name.trim(),
    filter: {
      date_from: values.from,
      date_to: values.to,
      none_since: noneSince,
      ...(values.outcome ? { outcome_type: values.outcome } : {}),
      ...(values.least ? { revenue_min: values.least } : {}),
      ...(values.most ? { revenue_max: values.most } : {}),
    },
    consent: { ad_user_data: stated, ad_personalization: stated },
    terms_accepted: terms,
  }
  const key = JSON.stringify(audience)
  const known = counted?.for === key ? counted.data : null
  const isReady = known !== null && known.queued > 0
  const submit = () => {
    setSent(null)
    if (isReady) setAsking(true)
    else
      write.mutate(
        { body: { ...audience, dry_run: true } },
        { onSuccess: ({ data }) => setCounted({ for: key, data }) },
      )
  }
  const send = async () => {
    const { data } = await write.mutateAsync({ body: { ...audience, dry_run: false } })
    setSent(data)
    setCounted(null)
  }
  const platform = account ? providerName(account.channel) : 'the platform'
  return (
    <Card
      title="Make an audience"
      note="Puts the customers who match on a list in your ad account, matched by hashes of email and phone. Sending it again under the same name brings the list up to date."
    >
      <div className="stack">
        {connections.isSuccess && accounts.length === 0 ? (
          <Notice tone="warn">Connect Meta or Google Ads first, under Connections.</Notice>
        ) : null}
        {sent ? (
          <Notice tone="good">
            {plural(sent.queued, 'customer')} sent to {platform}. The platform needs some hours to match them.
          </Notice>
        ) : null}
        <Form
          action={isReady ? `Send ${plural(known.queued, 'customer')}` : 'Count customers'}
          write={write}
          disabled={account === undefined}
          onSubmit={submit}
        >
          <div className="map-grid">
            <Field label="Name" hint="How the ad platform shows the list." {...bind('name')} required />
            <Choice
              label="Ad account"
              options={accounts.map(({ id, display_name, channel }) => ({
                value: id,
                label: `${display_name} (${providerName(channel)})`,
              }))}
              {...bind('account')}
              value={account?.id ?? ''}
            />
            <Choice
              label="Who had"
              options={[
                { value: '', label: 'Any conversion' },
                ...[...outcomes].map(([value, label]) => ({ value, label })),
              ]}
              {...bind('outcome')}
            />
            <Field label="From day" type="date" {...bind('from')} required />
            <Field label="To day" type="date" {...bind('to')} required />
            <Field
              label={`Revenue of at least (${profile.currency})`}
              inputMode="decimal"
              {...bind('least')}
            />
            <Field label={`Revenue of at most (${profile.currency})`} inputMode="decimal" {...bind('most')} />
          </div>
          <Check
            label="Only customers who have not come back since"
            checked={noneSince}
            onChange={(event) => setNoneSince(event.target.checked)}
          />
          <Check
            label="Customers agreed to their data being used for ads"
            hint="For those whose events do not say. Customers who refused are left out in any case."
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <Check
            label={`The terms of ${platform} for customer lists are accepted`}
            checked={terms}
            onChange={(event) => setTerms(event.target.checked)}
          />
          {known ? <Counts counted={known} /> : null}
        </Form>
      </div>
      {isAsking && known ? (
        <Confirm
          title={`Send ${plural(known.queued, 'customer')} to ${platform}?`}
          action="Send audience"
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          Their hashed email and phone go to the account {account?.display_name}. Customers who no longer
          match leave the list {audience.name}.
        </Confirm>
      ) : null}
    </Card>
  )
}

function Counts({ counted }: { counted: Counted }) {
  const left = [
    [counted.consent_refused, 'refused consent'],
    [counted.excluded, 'excluded'],
    [counted.no_match_keys, 'without an email or phone'],
  ].filter(([number]) => number !== 0)
  return (
    <Notice tone={counted.queued > 0 ? 'good' : 'warn'}>
      {plural(counted.matched, 'customer')} {counted.matched === 1 ? 'matches' : 'match'}, {counted.queued}{' '}
      can be sent
      {left.length > 0 ? `; left out: ${left.map((part) => part.join(' ')).join(', ')}` : ''}.
    </Notice>
  )
}
