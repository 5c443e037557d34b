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
    <Card title="Customer lists" note="Apps use the API to send lists of customers to the ad platforms.">
      <Loaded query={catalog}>
        {({ data }) => {
          if (data.privacy_mode === 'standard')
            return <p>Lists can be sent. People excluded below are left out of all of them.</p>
          return data.partner_customer_list && data.privacy_mode === 'platform_safe' ? (
            <p>In Platform safe mode, only the partner’s list is sent, under a neutral name.</p>
          ) : (
            <p>This profile’s privacy mode does not allow lists.</p>
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
  const invalid = ids.filter((candidate) => !isId(candidate))
  const done = save.data?.data
  const saveIds = (customerIds: string[]) =>
    save.mutateAsync({ params: { profileId: profile.id }, body: { customer_ids: customerIds } })
  return (
    <Card
      title="Excluded from all audiences"
      note="Saving replaces the exclusion list. People you add are also removed from lists already sent."
    >
      {done ? (
        <Notice tone="good">
          {plural(done.excluded, 'customer')} excluded: {done.added} added, {done.removed} included again.{' '}
          {plural(done.removals_queued, 'removal')} queued for the platforms.
        </Notice>
      ) : null}
      <Form
        action={ids.length === 0 ? 'Exclude' : `Exclude ${plural(ids.length, 'customer')}`}
        write={save}
        disabled={ids.length === 0 || invalid.length > 0}
        onSubmit={() => void saveIds(ids).catch(() => undefined)}
        detail={<Button onClick={() => setClearing(true)}>Remove all exclusions</Button>}
      >
        <div className="field">
          <label htmlFor={id}>Customer ids</label>
          <textarea
            id={id}
            className="input"
            rows={5}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-invalid={invalid.length > 0}
            aria-describedby={`${id}-hint`}
          />
          <span className={invalid.length > 0 ? 'problem' : 'hint'} id={`${id}-hint`}>
            {invalid.length > 0
              ? `Not a customer id: ${invalid.slice(0, 3).join(', ')}${invalid.length > 3 ? ` and ${invalid.length - 3} more` : ''}.`
              : 'One per line, at most 10,000. A customer’s id is the last part of their page’s address.'}
          </span>
        </div>
      </Form>
      {isClearing ? (
        <Confirm
          title="Remove all exclusions?"
          action="Remove all"
          onConfirm={() => saveIds([])}
          onClose={() => setClearing(false)}
        >
          Everyone can be in audiences again. People who were already removed from a list are not added back
          automatically.
        </Confirm>
      ) : null}
    </Card>
  )
}
