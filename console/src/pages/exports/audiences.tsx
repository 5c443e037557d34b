import { saveAudienceExclusions } from '@whence/server/features/exports/audiences/contract.ts'
import { getConversionSyncCatalog } from '@whence/server/features/exports/catalog/contract.ts'
import { useId, useState } from 'react'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

export function Audiences() {
  return (
    <div className="stack">
      <Lists />
      <Exclusions />
    </div>
  )
}

function Lists() {
  const catalog = useProfileRead(getConversionSyncCatalog)
  return (
    <Card title="Customer lists" note="Apps put customers on lists at the ad platforms through the API.">
      <Loaded query={catalog}>
        {({ data }) => {
          if (data.privacy_mode === 'standard')
            return <p>Lists may be sent. People who are excluded below are left out of every one.</p>
          return data.partner_customer_list && data.privacy_mode === 'platform_safe' ? (
            <p>In the mode Platform safe only the partner’s list is sent, under a neutral name.</p>
          ) : (
            <p>The privacy mode of this profile keeps every list back.</p>
          )
        }}
      </Loaded>
    </Card>
  )
}

const readIds = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))]

function Exclusions() {
  const { profile } = usePlace()
  const [text, setText] = useState('')
  const save = useWrite(saveAudienceExclusions)
  const id = useId()
  const ids = readIds(text)
  const done = save.data?.data
  const submit = () => save.mutate({ params: { profileId: profile.id }, body: { customer_ids: ids } })
  return (
    <Card
      title="Kept out of every audience"
      note="Replaces the whole set. Whoever is added is taken off the lists already sent."
    >
      {done ? (
        <Notice tone="good">
          {plural(done.excluded, 'customer')} kept out: {done.added} added, {done.removed} let in again,{' '}
          {plural(done.removals_queued, 'removal')} on the way to the platforms.
        </Notice>
      ) : null}
      <Form action={`Keep ${plural(ids.length, 'customer')} out`} write={save} onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>Customer ids</label>
          <textarea
            id={id}
            className="input"
            rows={5}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-describedby={`${id}-hint`}
          />
          <span className="hint" id={`${id}-hint`}>
            One per line, at most 10,000. An empty field lets everybody in again.
          </span>
        </div>
      </Form>
    </Card>
  )
}
