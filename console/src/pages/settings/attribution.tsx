import {
  type DataOf,
  getAttributionSettings,
  getReplayStatus,
  startRecompute,
  updateAttributionSettings,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { RecomputeLine } from '../../report/recompute-line.tsx'
import { WhatIfDialog } from '../../report/what-if-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Windows = Pick<
  DataOf<typeof getAttributionSettings>,
  'lookback_days' | 'first_touch_lookback_days' | 'half_life_days' | 'grace_hours'
>

/** Lookback settings of the models; a change recomputes the whole profile. */
export function AttributionSettings() {
  const { profile } = useProfileContext()
  const settings = useProfileRead(getAttributionSettings)
  return (
    <Card title="Attribution" note={`For ${profile.name}. Changes recompute all its attribution.`}>
      <div className="stack">
        <RecomputeLine />
        <Loaded query={settings}>{({ data }) => <WindowsForm settings={data} />}</Loaded>
      </div>
    </Card>
  )
}

function WindowsForm({ settings }: { settings: Windows }) {
  const [draft, setDraft] = useState<Windows>({
    lookback_days: settings.lookback_days,
    first_touch_lookback_days: settings.first_touch_lookback_days,
    half_life_days: settings.half_life_days,
    grace_hours: settings.grace_hours,
  })
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const update = useProfileWrite(updateAttributionSettings, [getAttributionSettings, getReplayStatus])
  const recompute = useProfileWrite(startRecompute, [getReplayStatus])
  const toast = useToast()
  const bind = (name: keyof Windows) => ({
    type: 'number',
    min: 1,
    max: 365,
    required: true,
    value: draft[name],
    onChange: (event: { target: { value: string } }) =>
      setDraft((before) => ({ ...before, [name]: Number(event.target.value) })),
  })
  const submit = () =>
    update.mutate({ body: draft }, { onSuccess: () => toast('Saved. Attribution is being recomputed') })
  return (
    <Form
      action="Save"
      write={{ isPending: update.isPending, error: update.error ?? recompute.error }}
      onSubmit={submit}
      detail={
        <>
          <Button
            busy={recompute.isPending}
            onClick={() =>
              recompute.mutate({ body: {} }, { onSuccess: () => toast('Attribution is being recomputed') })
            }
          >
            Recompute now
          </Button>
          <Button onClick={() => setPreviewOpen(true)}>Preview the change</Button>
        </>
      }
    >
      <div className="form-row">
        <Field label="Lookback (days)" hint="All models but first touch" {...bind('lookback_days')} />
        <Field
          label="First touch lookback (days)"
          hint="The first-touch model only"
          {...bind('first_touch_lookback_days')}
        />
        <Field
          label="Half-life (days)"
          hint="Time decay: credit halves per this many days"
          {...bind('half_life_days')}
        />
        <Field
          label="Days close after (hours)"
          hint="Changes to a day after this are recorded"
          {...bind('grace_hours')}
          min={0}
          max={720}
        />
      </div>
      {isPreviewOpen ? (
        <WhatIfDialog
          changes={{
            lookback_days: draft.lookback_days,
            first_touch_lookback_days: draft.first_touch_lookback_days,
            half_life_days: draft.half_life_days,
          }}
          onClose={() => setPreviewOpen(false)}
        />
      ) : null}
    </Form>
  )
}
