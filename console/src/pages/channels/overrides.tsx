import {
  type DataOf,
  getChannelRules,
  getReplayStatus,
  overrideChannelValues,
  saveChannelRules,
  testChannelRules,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { channelName, sentence } from '../../names/providers.ts'
import { WhatIfDialog } from '../../report/what-if-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Override = DataOf<typeof getChannelRules>['overrides'][number]

/** A profile's channel rules for sources that the built-in list does not contain or classifies differently. */
export function Overrides() {
  const rules = useProfileRead(getChannelRules)
  const write = useProfileWrite(saveChannelRules, [getChannelRules, testChannelRules, getReplayStatus])
  const [adding, setAdding] = useState(false)
  const toast = useToast()
  const save = (overrides: Override[], done: () => void = () => {}) =>
    write.mutate(
      { body: { overrides } },
      {
        onSuccess: () => {
          done()
          toast('Saved. Credit by channel is being recomputed.')
        },
      },
    )
  return (
    <Card
      title="Your channel rules"
      note="Assign a site or a utm_source to another channel. Click ids and ad ids take precedence; a rule takes precedence over UTM tags, paid ones included."
      actions={
        <Button onClick={() => setAdding(true)}>
          <Icon name="plus" size={16} />
          Add rule
        </Button>
      }
      flush
    >
      <Loaded query={rules}>
        {({ data: { overrides } }) => (
          <>
            {overrides.length === 0 ? (
              <p className="card-body sub">No custom rules yet. Sources use the default channels.</p>
            ) : (
              <ul className="list">
                {overrides.map((rule) => (
                  <li key={`${rule.kind} ${rule.value}`}>
                    <span className="grow">
                      <strong>{rule.value}</strong>
                      <span className="sub">
                        {rule.kind === 'host' ? 'Site and its subdomains' : 'utm_source'} →{' '}
                        {channelName(rule.channel)}
                      </span>
                    </span>
                    <Button
                      small
                      busy={write.isPending}
                      onClick={() => save(overrides.filter((other) => other !== rule))}
                    >
                      Remove<span className="sr-only"> the rule for {rule.value}</span>
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {adding ? (
              <NewOverride
                write={write}
                onClose={() => setAdding(false)}
                onAdd={(rule) => save(withRule(overrides, rule), () => setAdding(false))}
                previewOf={(rule) => withRule(overrides, rule)}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}

const withRule = (overrides: readonly Override[], rule: Override): Override[] => [
  ...overrides.filter(({ kind, value }) => kind !== rule.kind || value !== rule.value),
  rule,
]

function NewOverride({
  write,
  onClose,
  onAdd,
  previewOf,
}: {
  write: { isPending: boolean; error: unknown }
  onClose: () => void
  onAdd: (rule: Override) => void
  previewOf: (rule: Override) => Override[]
}) {
  const { values, bind } = useFields({ kind: 'host', value: '', channel: 'affiliate' })
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const rule: Override = {
    kind: values.kind as Override['kind'],
    value: values.value.trim().toLowerCase(),
    channel: values.channel as Override['channel'],
  }
  const isEmpty = rule.value === ''
  return (
    <Dialog open onClose={onClose} title="Add a channel rule" note="Saving recomputes all credit by channel.">
      <Form
        action="Save rule"
        write={write}
        onCancel={onClose}
        onSubmit={() => onAdd(rule)}
        disabled={isEmpty}
        detail={
          <Button disabled={isEmpty} onClick={() => setPreviewOpen(true)}>
            Preview the change
          </Button>
        }
      >
        <Choice
          label="Visits from"
          options={[
            { value: 'host', label: 'A site and its subdomains' },
            { value: 'source', label: 'A utm_source' },
          ]}
          {...bind('kind')}
        />
        <Field
          label={values.kind === 'host' ? 'Site' : 'utm_source'}
          placeholder={values.kind === 'host' ? 'partner.example' : 'spring-fair'}
          maxLength={100}
          {...bind('value')}
        />
        <Choice
          label="Assign to channel"
          options={overrideChannelValues.map((value) => ({ value, label: sentence(value) }))}
          {...bind('channel')}
        />
      </Form>
      {isPreviewOpen ? (
        <WhatIfDialog
          changes={{
            channel_rules: previewOf(rule)
              .map(({ kind, value, channel }) => `${kind}:${encodeURIComponent(value)}=${channel}`)
              .join(','),
          }}
          onClose={() => setPreviewOpen(false)}
        />
      ) : null}
    </Dialog>
  )
}
