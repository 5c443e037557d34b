import { type DataOf, testChannelRules } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { channelName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'

type Decision = DataOf<typeof testChannelRules>
type Visit = { url: string; referrer?: string }

/** Uses the server's own classification, so the answer is what reports will count. */
export function TryLink() {
  const { values, bind } = useFields({ url: '', referrer: '' })
  const [visit, setVisit] = useState<Visit>()
  const test = useProfileRead(
    testChannelRules,
    { query: visit ?? { url: '' } },
    { enabled: visit !== undefined, keep: true },
  )
  const url = withScheme(values.url)
  const referrer = withScheme(values.referrer)
  return (
    <Card title="Try a link" note="See which channel a visit to this address counts for, and why.">
      <Form
        action="Try it"
        write={{ isPending: test.isFetching, error: visit === undefined ? null : test.error }}
        onSubmit={() => setVisit(referrer === '' ? { url } : { url, referrer })}
        disabled={url === ''}
      >
        <Field
          label="Page address"
          placeholder="shop.example/?utm_source=newsletter&utm_medium=email"
          {...bind('url')}
        />
        <Field label="Came from (optional)" placeholder="www.google.com" {...bind('referrer')} />
      </Form>
      {visit !== undefined && test.data !== undefined && !test.isError ? (
        <p role="status">
          <Badge>
            {test.data.data.channel === null ? 'No new visit' : channelName(test.data.data.channel)}
          </Badge>{' '}
          {reasonOf(test.data.data)}
        </p>
      ) : null}
    </Card>
  )
}

function withScheme(address: string): string {
  const text = address.trim()
  return text === '' || /^[a-z]+:/i.test(text) ? text : `https://${text}`
}

const lists: Record<NonNullable<Decision['list']>, string> = {
  search: 'search engines',
  social: 'social networks',
  mail: 'webmail sites',
  shopping: 'shopping sites',
  ai_assistant: 'AI assistants',
}

export function reasonOf({ rule, decided_by, list }: Decision): string {
  switch (rule) {
    case 'click_id':
      return `Because of the click id ${decided_by}, which takes precedence over everything else.`
    case 'named_ad':
      return `Because the address contains an ad id (${decided_by}).`
    case 'utm':
      return `Because of the tag ${decided_by}.`
    case 'override':
      return `Because of your rule for ${decided_by}.`
    case 'site_list':
      return `${decided_by} is on the list of ${list === null ? 'known sites' : lists[list]}.`
    case 'other_site':
      return `${decided_by} is not a listed site, so it counts as a referral.`
    case 'payment_or_login_page':
      return `${decided_by} is a payment or login page, which never counts as a source. The visit continues.`
    case 'direct':
      return 'The visit has no referrer and no tags.'
  }
}
