import { getVerification, startVerification } from '@whence/sdk'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { agoText } from '../../format/times.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'

const POLL_MS = 1500

/** Opens a page of the site with a parameter that makes the tracker there report back. */
export function InstallCheck() {
  const [url, setUrl] = useState('')
  const [waiting, setWaiting] = useState(false)
  const latest = useProfileRead(getVerification, {}, { every: waiting ? POLL_MS : false })
  const start = useProfileWrite(startVerification, [getVerification])
  const check = latest.data?.data
  const isWaiting = check?.status === 'waiting'
  if (waiting !== isWaiting) setWaiting(isWaiting)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    start.mutate({ body: { url } })
  }
  return (
    <Card title="Install check" note="Open a page of your site from here to check that the tracker works.">
      <div className="stack">
        {check?.status === 'seen' ? (
          <Notice tone="good">
            The tracker works on <strong>{check.seen_url ?? check.url}</strong> {agoText(check.seen_at)}.
          </Notice>
        ) : null}
        {check?.status === 'expired' ? (
          <Notice tone="warn">
            No response from {check.url}. Make sure that the snippet is in the page’s head and is not blocked.
          </Notice>
        ) : null}
        {check && isWaiting ? (
          <Notice>
            Waiting for the tracker on {check.url}.{' '}
            <a href={check.check_url} target="_blank" rel="noopener">
              Open the page
            </a>{' '}
            to run the check.
          </Notice>
        ) : null}
        {start.isError ? <Notice tone="bad">{messageOf(start.error)}</Notice> : null}
        <form className="inline-form" onSubmit={submit}>
          <Field
            label="Page to check"
            type="url"
            placeholder="https://your-shop.example"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            required
          />
          {check && isWaiting && check.url === url ? (
            <a className={buttonClass()} href={check.check_url} target="_blank" rel="noopener">
              Open the page
              <Icon name="external" size={15} />
            </a>
          ) : (
            <Button type="submit" busy={start.isPending}>
              Start check
            </Button>
          )}
        </form>
      </div>
    </Card>
  )
}
