import {
  type ConversionSyncCatalog,
  getConversionSyncCatalog,
  PrivacyMode,
  saveConversionSyncCatalog,
} from '@whence/server/features/exports/catalog/contract.ts'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Check, Choice } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

const modeNames = {
  standard: 'Standard',
  platform_safe: 'Platform safe',
  hipaa: 'HIPAA',
} as const
const modeHints = {
  standard: 'Every mapped conversion is sent, but of people who refused consent.',
  platform_safe: 'To the clean dataset only, under neutral event names, without page paths.',
  hipaa:
    'Only goals on the allow-list, without network address, browser and ids; nothing until the agreement is recorded.',
} as const
const consents = ['granted', 'denied', 'unspecified'] as const

export function Catalog() {
  const catalog = useProfileRead(getConversionSyncCatalog)
  return (
    <Card title="What may leave" note="Checked when a conversion is queued, and again when it is sent.">
      <Loaded query={catalog}>
        {({ data }) => <CatalogForm key={data.updated_at ?? 'new'} catalog={data} />}
      </Loaded>
    </Card>
  )
}

type Entry = ConversionSyncCatalog['conversions'][number]

function CatalogForm({ catalog }: { catalog: ConversionSyncCatalog }) {
  const [mode, setMode] = useState(catalog.privacy_mode)
  const [entries, setEntries] = useState(catalog.conversions)
  const save = useProfileWrite(saveConversionSyncCatalog, [getConversionSyncCatalog])
  const toast = useToast()
  const change = (key: string, fields: Partial<Entry>) =>
    setEntries((before) => before.map((one) => (one.conversion_key === key ? { ...one, ...fields } : one)))
  const { updated_at: _, ...kept } = catalog
  const submit = () =>
    save.mutate(
      { body: { ...kept, privacy_mode: mode, conversions: entries } },
      { onSuccess: () => toast('Saved') },
    )
  return (
    <Form action="Save" write={save} onSubmit={submit}>
      <Choice
        label="Privacy mode"
        hint={modeHints[mode]}
        options={PrivacyMode.options.map((value) => ({ value, label: modeNames[value] }))}
        value={mode}
        onChange={(event) => setMode(event.target.value as typeof mode)}
      />
      <ul className="list goals" aria-label="Goals">
        {entries.map((entry) => (
          <li key={entry.conversion_key}>
            <strong className="grow">{sentence(entry.conversion_key)}</strong>
            <Check
              label="Send"
              checked={entry.enabled}
              onChange={() => change(entry.conversion_key, { enabled: !entry.enabled })}
            />
            <Check
              label="With its value"
              checked={entry.send_value}
              onChange={() => change(entry.conversion_key, { send_value: !entry.send_value })}
            />
            <select
              className="select small"
              aria-label={`Consent where ${sentence(entry.conversion_key)} says nothing`}
              value={entry.consent_default}
              onChange={(event) =>
                change(entry.conversion_key, {
                  consent_default: event.target.value as Entry['consent_default'],
                })
              }
            >
              {consents.map((value) => (
                <option key={value} value={value}>
                  Consent {value} where unknown
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </Form>
  )
}
