import { type DataOf, getTrackingSettings, updateTrackingSettings } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Card } from '../../ui/card.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Settings = DataOf<typeof getTrackingSettings>

export function TrackerSettings() {
  const settings = useProfileRead(getTrackingSettings)
  return (
    <Card title="Tracker">
      <Loaded query={settings}>{({ data }) => <SettingsForm settings={data} />}</Loaded>
    </Card>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useState(settings)
  // Stored as typed: splitting on every change would remove the comma just typed.
  const [domains, setDomains] = useState(settings.allowed_domains.join(', '))
  const [paths, setPaths] = useState(settings.exclude_paths.join(', '))
  const update = useProfileWrite(updateTrackingSettings, [getTrackingSettings])
  const toast = useToast()
  const set = (change: Partial<Settings>) => setDraft((before) => ({ ...before, ...change }))
  const submit = () => {
    const excluded = paths.split(/[\s,]+/).filter((path) => path !== '')
    const allowed = domains.split(/[\s,]+/).filter((domain) => domain !== '')
    update.mutate(
      { body: { ...draft, allowed_domains: allowed, exclude_paths: excluded } },
      { onSuccess: () => toast('Tracker settings saved') },
    )
  }
  return (
    <Form action="Save" write={update} onSubmit={submit}>
      <div className="form-row">
        <Field
          label="Session ends after (minutes)"
          type="number"
          min={1}
          max={120}
          value={draft.session_minutes}
          onChange={(event) => set({ session_minutes: Number(event.target.value) })}
        />
        <Choice
          label="Consent"
          hint="Applies until the visitor decides."
          value={draft.consent_mode}
          onChange={(event) => set({ consent_mode: event.target.value as Settings['consent_mode'] })}
          options={[
            { value: 'granted', label: 'Granted by default' },
            { value: 'pending', label: 'Wait for a decision' },
            { value: 'denied', label: 'Denied by default' },
          ]}
        />
        <Choice
          label="Forms"
          value={draft.forms}
          onChange={(event) => set({ forms: event.target.value as Settings['forms'] })}
          options={[
            { value: 'auto', label: 'All forms' },
            { value: 'marked', label: 'Marked forms only' },
            { value: 'off', label: 'Off' },
          ]}
        />
        <Choice
          label="Page changes without a reload"
          value={draft.spa}
          onChange={(event) => set({ spa: event.target.value as Settings['spa'] })}
          options={[
            { value: 'on', label: 'By path' },
            { value: 'hash', label: 'By path and fragment' },
            { value: 'off', label: 'Off' },
          ]}
        />
      </div>
      <Field
        label="Allowed domains"
        hint="Separated by commas. Empty accepts visits from every site that has the key."
        value={domains}
        onChange={(event) => setDomains(event.target.value)}
      />
      <Field
        label="Excluded paths"
        hint="Separated by commas; * matches any characters, as in /admin*. Paste the snippet again after a change."
        value={paths}
        onChange={(event) => setPaths(event.target.value)}
      />
      <Check
        label="Read the consent of the banner on the page"
        hint="Consent mode, TCF, Shopify and the WP Consent API. Paste the snippet again after a change."
        checked={draft.consent_signals === 'auto'}
        onChange={(event) => set({ consent_signals: event.target.checked ? 'auto' : 'off' })}
      />
      <Check
        label="A choice on the site precedes Global Privacy Control"
        hint="Off: nothing lifts the browser’s refusal. California requires that a conflict is explained to the visitor."
        checked={draft.gpc === 'explicit_choice_wins'}
        onChange={(event) => set({ gpc: event.target.checked ? 'explicit_choice_wins' : 'honor' })}
      />
      <Check
        label="Exclude bots"
        checked={draft.filter_bots}
        onChange={(event) => set({ filter_bots: event.target.checked })}
      />
      <Check
        label="Record the country of visits"
        hint="Needs a country database on the server. The IP address is never stored."
        checked={draft.enrich_country}
        onChange={(event) => set({ enrich_country: event.target.checked })}
      />
    </Form>
  )
}
