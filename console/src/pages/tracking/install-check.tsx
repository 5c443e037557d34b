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

/** Opens a page of the site with a mark that the tracker there answers to. */
export function InstallCheck() {
  const [url, setUrl] = useState('')
  const [waiting, setWaiting] = useState(false)
  const latest = useProfileRead(getVerification, {}, { every: waiting ? POLL_MS : false })
  const start = useProfileWrite(startVerification, [getVerification])
  const found = latest.data?.data
  const isWaiting = found?.status === 'waiting'
  if (waiting !== isWaiting) setWaiting(isWaiting)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    start.mutate({ body: { url } })
  }
  return (
    <Card
      title="Install check"
      note="Open a page of your site from here and see whether the tracker answers."
    >
      <div className="stack">
        {found?.status === 'seen' ? (
          <Notice tone="good">
            The tracker answered from <strong>{found.seen_url ?? found.url}</strong> {agoText(found.seen_at)}.
          </Notice>
        ) : null}
        {found?.status === 'expired' ? (
          <Notice tone="warn">
            Nothing answered from {found.url}. Check that the snippet is in the page’s head and not blocked.
          </Notice>
        ) : null}
        {found && isWaiting ? (
          <Notice>
            Waiting for the tracker on {found.url}.{' '}
            <a href={found.check_url} target="_blank" rel="noopener">
              Open the page
            </a>{' '}
            to let it answer.
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
          {found && isWaiting && found.url === url ? (
            <a className={buttonClass()} href={found.check_url} target="_blank" rel="noopener">
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
