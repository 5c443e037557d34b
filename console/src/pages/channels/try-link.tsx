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

/** Asks the service itself, so that what it says is what will be counted. */
export function TryLink() {
  const { values, bind } = useFields({ url: '', referrer: '' })
  const [visit, setVisit] = useState<Visit>()
  const asked = useProfileRead(
    testChannelRules,
    { query: visit ?? { url: '' } },
    { enabled: visit !== undefined, keep: true },
  )
  const url = withScheme(values.url)
  const referrer = withScheme(values.referrer)
  return (
    <Card title="Try a link" note="The channel of a visit to this address, and why.">
      <Form
        action="Try it"
        write={{ isPending: asked.isFetching, error: visit === undefined ? null : asked.error }}
        onSubmit={() => setVisit(referrer === '' ? { url } : { url, referrer })}
        disabled={url === ''}
      >
        <Field
          label="Address of the page"
          placeholder="shop.example/?utm_source=newsletter&utm_medium=email"
          {...bind('url')}
        />
        <Field label="Came from (optional)" placeholder="www.google.com" {...bind('referrer')} />
      </Form>
      {visit !== undefined && asked.data !== undefined && !asked.isError ? (
        <p role="status">
          <Badge>
            {asked.data.data.channel === null ? 'No new visit' : channelName(asked.data.data.channel)}
          </Badge>{' '}
          {reasonOf(asked.data.data)}
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
  mail: 'mail pages',
  shopping: 'shopping sites',
  ai_assistant: 'AI assistants',
}

export function reasonOf({ rule, decided_by, list }: Decision): string {
  switch (rule) {
    case 'click_id':
      return `The click id ${decided_by} decides: it comes before everything else.`
    case 'named_ad':
      return `The address names an ad (${decided_by}).`
    case 'utm':
      return `The tag ${decided_by} decides.`
    case 'override':
      return `Your rule for ${decided_by} decides.`
    case 'site_list':
      return `${decided_by} is on the list of ${list === null ? 'known sites' : lists[list]}.`
    case 'other_site':
      return `${decided_by} is on no list, so it counts as a referral.`
    case 'payment_or_login_page':
      return `${decided_by} is a payment or login page, which is never a source: the visit goes on.`
    case 'direct':
      return 'Nothing says where the visit came from.'
  }
}
