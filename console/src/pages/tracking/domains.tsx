import {
  createTrackingDomain,
  deleteTrackingDomain,
  getTrackingOrigin,
  listTrackingDomains,
  verifyTrackingDomain,
} from '@whence/sdk'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

const tones = { pending: 'warn', verified: 'good', failed: 'bad' } as const
const stale = [listTrackingDomains, getTrackingOrigin]

export function Domains() {
  const [domain, setDomain] = useState('')
  const domains = useProfileRead(listTrackingDomains)
  const origin = useProfileRead(getTrackingOrigin).data?.data
  const create = useProfileWrite(createTrackingDomain, stale)
  const verify = useProfileWrite(verifyTrackingDomain, stale)
  const remove = useProfileWrite(deleteTrackingDomain, stale)
  const failure = create.error ?? verify.error ?? remove.error
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate({ body: { domain } }, { onSuccess: () => setDomain('') })
  }
  return (
    <Card
      title="Tracking domain"
      note={`Collecting at ${origin?.origin ?? '…'}. Your own domain makes tracking first-party.`}
      flush
    >
      <form className="inline-form card-body" onSubmit={submit}>
        <Field
          label="Domain"
          placeholder="t.your-shop.example"
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          required
        />
        <Button type="submit" busy={create.isPending}>
          Add domain
        </Button>
      </form>
      {failure ? (
        <div className="card-body">
          <Notice tone="bad">{messageOf(failure)}</Notice>
        </div>
      ) : null}
      <Loaded query={domains} skeleton={null}>
        {({ data }) => (
          <ul className="list">
            {data.map((registration) => (
              <li key={registration.id} className="ruled">
                <span className="grow">
                  <strong>{registration.domain}</strong>
                  <span className="sub">
                    {registration.detail ??
                      `Point a CNAME at ${registration.cname_target}, then check it here.`}
                    {registration.created_by_app ? ` Registered by ${registration.created_by_app.name}.` : ''}
                  </span>
                </span>
                <Badge tone={tones[registration.status]}>{sentence(registration.status)}</Badge>
                <Button
                  small
                  busy={verify.isPending}
                  onClick={() => verify.mutate({ params: { id: registration.id } })}
                >
                  Check DNS
                </Button>
                <Button
                  small
                  onClick={() => remove.mutate({ params: { id: registration.id } })}
                  aria-label={`Remove ${registration.domain}`}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
