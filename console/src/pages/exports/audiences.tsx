import { getConversionSyncCatalog, saveAudienceExclusions } from '@whence/sdk'
import { useId, useState } from 'react'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NewAudience } from './new-audience.tsx'

export function Audiences() {
  return (
    <div className="stack">
      <NewAudience />
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
const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

function Exclusions() {
  const { profile } = useProfileContext()
  const [text, setText] = useState('')
  const [isClearing, setClearing] = useState(false)
  const save = useWrite(saveAudienceExclusions)
  const id = useId()
  const ids = readIds(text)
  const unreadable = ids.filter((one) => !isId(one))
  const done = save.data?.data
  const saveIds = (customerIds: string[]) =>
    save.mutateAsync({ params: { profileId: profile.id }, body: { customer_ids: customerIds } })
  return (
    <Card
      title="Kept out of every audience"
      note="Saving replaces the exclusion list. People you add are also removed from lists already sent."
    >
      {done ? (
        <Notice tone="good">
          {plural(done.excluded, 'customer')} kept out: {done.added} added, {done.removed} let in again,{' '}
          {plural(done.removals_queued, 'removal')} on the way to the platforms.
        </Notice>
      ) : null}
      <Form
        action={ids.length === 0 ? 'Keep out' : `Keep ${plural(ids.length, 'customer')} out`}
        write={save}
        disabled={ids.length === 0 || unreadable.length > 0}
        onSubmit={() => void saveIds(ids).catch(() => undefined)}
        detail={<Button onClick={() => setClearing(true)}>Let everybody in again</Button>}
      >
        <div className="field">
          <label htmlFor={id}>Customer ids</label>
          <textarea
            id={id}
            className="input"
            rows={5}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-invalid={unreadable.length > 0}
            aria-describedby={`${id}-hint`}
          />
          <span className={unreadable.length > 0 ? 'problem' : 'hint'} id={`${id}-hint`}>
            {unreadable.length > 0
              ? `Not a customer id: ${unreadable.slice(0, 3).join(', ')}${unreadable.length > 3 ? ` and ${unreadable.length - 3} more` : ''}.`
              : 'One per line, at most 10,000. The id of a customer ends the address of their page under Customers.'}
          </span>
        </div>
      </Form>
      {isClearing ? (
        <Confirm
          title="Let everybody in again?"
          action="Let everybody in"
          onConfirm={() => saveIds([])}
          onClose={() => setClearing(false)}
        >
          No one is excluded from audiences from then on. People who were removed from a list do not come back
          to it by themselves.
        </Confirm>
      ) : null}
    </Card>
  )
}
