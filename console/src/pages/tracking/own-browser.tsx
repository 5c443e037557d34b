import { createOwnBrowserLink } from '@whence/sdk'
import { useState } from 'react'
import { useProfileWrite } from '../../api/profile.ts'
import { Card } from '../../ui/card.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

/** Marks this browser as the owner's: the link is opened in it, and the tracker remembers the mark for the site. */
export function OwnBrowser() {
  const [url, setUrl] = useState('')
  const [mark, setMark] = useState<'exclude' | 'count'>('exclude')
  const [link, setLink] = useState<string | null>(null)
  const create = useProfileWrite(createOwnBrowserLink)
  const submit = () =>
    create.mutate(
      { body: { url, is_own: mark === 'exclude' } },
      { onSuccess: ({ data }) => setLink(data.url) },
    )
  return (
    <Card
      title="Your own visits"
      note="Excludes this browser from your figures. The browser remembers it; no address is stored."
    >
      <Form action="Create link" write={create} onSubmit={submit}>
        <div className="form-row">
          <Field
            label="Page of your site"
            hint="A page with the tracker."
            type="url"
            required
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Choice
            label="Visits of this browser"
            value={mark}
            onChange={(event) => setMark(event.target.value as 'exclude' | 'count')}
            options={[
              { value: 'exclude', label: 'Do not count' },
              { value: 'count', label: 'Count again' },
            ]}
          />
        </div>
      </Form>
      {link === null ? null : (
        <p>
          <a href={link} target="_blank" rel="noreferrer">
            Open the link in this browser
          </a>{' '}
          <span className="faint">It works for 30 minutes.</span>
        </p>
      )}
    </Card>
  )
}
