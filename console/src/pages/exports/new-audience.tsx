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

/** Counts the customers who match a filter, then sends them as a list to an ad platform. */
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
  const [confirming, setConfirming] = useState(false)
  const [sent, setSent] = useState<Counted | null>(null)
  const write = useProfileWrite(createAudience)
  const account = accounts.find(({ id }) => id === values.account) ?? accounts[0]
  const consentState = agreed ? ('granted' as const) : ('unspecified' as const)
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
    consent: { ad_user_data: consentState, ad_personalization: consentState },
    terms_accepted: terms,
  }
  const key = JSON.stringify(audience)
  const currentCount = counted?.for === key ? counted.data : null
  const isReady = currentCount !== null && currentCount.queued > 0
  const submit = () => {
    setSent(null)
    if (isReady) setConfirming(true)
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
      title="Create an audience"
      note="Adds matching customers to a list in your ad account, by hashes of email and phone. Send it again under the same name to update the list."
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
          action={isReady ? `Send ${plural(currentCount.queued, 'customer')}` : 'Count customers'}
          write={write}
          disabled={account === undefined}
          onSubmit={submit}
        >
          <div className="map-grid">
            <Field label="Name" hint="The list’s name at the ad platform." {...bind('name')} required />
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
              label="With conversion"
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
            hint="Applies to customers whose events contain no consent. Customers who refused are always left out."
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <Check
            label={`I accept ${platform}’s terms for customer lists`}
            checked={terms}
            onChange={(event) => setTerms(event.target.checked)}
          />
          {currentCount ? <Counts counted={currentCount} /> : null}
        </Form>
      </div>
      {confirming && currentCount ? (
        <Confirm
          title={`Send ${plural(currentCount.queued, 'customer')} to ${platform}?`}
          action="Send audience"
          onConfirm={send}
          onClose={() => setConfirming(false)}
        >
          Their hashed emails and phone numbers are sent to the account {account?.display_name}. Customers who
          no longer match are removed from the list {audience.name}.
        </Confirm>
      ) : null}
    </Card>
  )
}

function Counts({ counted }: { counted: Counted }) {
  const skipped = [
    [counted.consent_refused, 'refused consent'],
    [counted.excluded, 'excluded'],
    [counted.no_match_keys, 'without an email or phone'],
  ].filter(([number]) => number !== 0)
  return (
    <Notice tone={counted.queued > 0 ? 'good' : 'warn'}>
      {plural(counted.matched, 'customer')} {counted.matched === 1 ? 'matches' : 'match'}, {counted.queued}{' '}
      can be sent
      {skipped.length > 0 ? `; left out: ${skipped.map((part) => part.join(' ')).join(', ')}` : ''}.
    </Notice>
  )
}
