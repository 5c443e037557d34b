import {
  type ConversionSyncCatalog,
  getConversionSyncCatalog,
  privacyModeValues,
  saveConversionSyncCatalog,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, toggled, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

const modeNames = {
  standard: 'Standard',
  platform_safe: 'Platform safe',
  hipaa: 'HIPAA',
} as const
const modeHints = {
  standard: 'Every mapped conversion is sent, except those of people who refused consent.',
  platform_safe: 'Only to the clean dataset, with neutral event names and without page paths.',
  hipaa:
    'Only goals on the allow-list, without network address, browser and ids. Nothing is sent until the agreement is recorded.',
} as const
const consents = ['granted', 'denied', 'unspecified'] as const

export function Catalog() {
  const catalog = useProfileRead(getConversionSyncCatalog)
  return (
    <Card title="Data sharing" note="Checked when a conversion is queued, and again when it is sent.">
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
  const [allowed, setAllowed] = useState(catalog.healthcare_export_allowlist)
  const [hasPartnerList, setPartnerList] = useState(catalog.partner_customer_list)
  const { values, bind } = useFields({
    signedBy: catalog.hipaa_agreement?.signed_by ?? '',
    signedOn: catalog.hipaa_agreement?.signed_at.slice(0, 10) ?? '',
  })
  const save = useProfileWrite(saveConversionSyncCatalog, [getConversionSyncCatalog])
  const toast = useToast()
  const change = (key: string, fields: Partial<Entry>) =>
    setEntries((before) =>
      before.map((entry) => (entry.conversion_key === key ? { ...entry, ...fields } : entry)),
    )
  const agreement =
    values.signedBy.trim() === '' || values.signedOn === ''
      ? null
      : { signed_by: values.signedBy.trim(), signed_at: new Date(values.signedOn).toISOString() }
  const submit = () =>
    save.mutate(
      {
        body: {
          privacy_mode: mode,
          conversions: entries,
          healthcare_export_allowlist: allowed,
          hipaa_agreement: agreement,
          partner_customer_list: hasPartnerList,
        },
      },
      { onSuccess: () => toast('Saved') },
    )
  return (
    <Form action="Save" write={save} onSubmit={submit}>
      <Choice
        label="Privacy mode"
        hint={modeHints[mode]}
        options={privacyModeValues.map((value) => ({ value, label: modeNames[value] }))}
        value={mode}
        onChange={(event) => setMode(event.target.value as typeof mode)}
      />
      {mode === 'hipaa' ? (
        <>
          <Field label="Agreement signed by" {...bind('signedBy')} />
          <Field label="Signed on" type="date" {...bind('signedOn')} />
        </>
      ) : null}
      {mode === 'platform_safe' ? (
        <Check
          label="A partner app may send a customer list, under a neutral name"
          checked={hasPartnerList}
          onChange={() => setPartnerList(!hasPartnerList)}
        />
      ) : null}
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
              label="Include value"
              checked={entry.send_value}
              onChange={() => change(entry.conversion_key, { send_value: !entry.send_value })}
            />
            {mode === 'hipaa' ? (
              <Check
                label="On the allow-list"
                checked={allowed.includes(entry.conversion_key)}
                onChange={() => setAllowed(toggled(allowed, entry.conversion_key))}
              />
            ) : null}
            <select
              className="select small"
              aria-label={`Default consent for ${sentence(entry.conversion_key)}`}
              value={entry.consent_default}
              onChange={(event) =>
                change(entry.conversion_key, {
                  consent_default: event.target.value as Entry['consent_default'],
                })
              }
            >
              {consents.map((value) => (
                <option key={value} value={value}>
                  Consent {value} if unknown
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </Form>
  )
}
