import {
  createExportDestination,
  type InputOf,
  listConnections,
  listExportDestinations,
  listPixels,
} from '@whence/sdk'
import type { ChangeEvent, ComponentProps } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { kindNames } from './reasons.ts'

const providerOf = {
  social: 'social_ads',
  engine: 'engine_ads',
  shortvideo: null,
  microsoft: 'microsoft_ads',
  linkedin: 'linkedin_ads',
} as const
type Kind = keyof typeof providerOf
type NewDestination = InputOf<typeof createExportDestination>['body']

export function DestinationForm({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ kind: 'social', connection: '', target: '', token: '', name: '' })
  const kind = values.kind as Kind
  const connections = useProfileRead(listConnections)
  const usable = (connections.data?.data ?? []).filter(({ channel }) => channel === providerOf[kind])
  const connectionId = values.connection || usable[0]?.id
  const create = useProfileWrite(createExportDestination, [listExportDestinations])
  const needsConnection = providerOf[kind] !== null
  const submit = () => {
    const common = values.name.trim() === '' ? {} : { display_name: values.name.trim() }
    const target = values.target.trim()
    const body: Record<Kind, unknown> = {
      social: { kind, connection_id: connectionId, social_pixel_id: target, ...common },
      engine: { kind, connection_id: connectionId, engine_conversion_action: target, ...common },
      shortvideo: { kind, shortvideo_pixel_code: target, access_token: values.token, ...common },
      microsoft: { kind, connection_id: connectionId, microsoft_uet_tag_id: target, ...common },
      linkedin: { kind, connection_id: connectionId, linkedin_conversion_id: target, ...common },
    }
    create.mutate({ body: body[kind] as NewDestination }, { onSuccess: onClose })
  }
  return (
    <Dialog open onClose={onClose} title="New destination" wide>
      <Form
        action="Create"
        write={create}
        onSubmit={submit}
        onCancel={onClose}
        disabled={needsConnection && usable.length === 0}
      >
        <Choice
          label="Platform"
          options={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
          {...bind('kind')}
        />
        {needsConnection && connections.isSuccess && usable.length === 0 ? (
          <Notice tone="warn">Connect {kindNames[kind]} first, under Connections.</Notice>
        ) : null}
        {needsConnection && usable.length > 0 ? (
          <Choice
            label="Ad account"
            options={usable.map(({ id, display_name }) => ({ value: id, label: display_name }))}
            {...bind('connection')}
            value={connectionId}
          />
        ) : null}
        {kind === 'social' && connectionId ? (
          <Pixels connectionId={connectionId} field={bind('target')} />
        ) : (
          <Field label={targetLabels[kind]} {...bind('target')} required />
        )}
        {kind === 'shortvideo' ? (
          <Field
            label="Access token"
            hint="From the platform’s Events Manager. It is encrypted and never shown again."
            type="password"
            autoComplete="off"
            {...bind('token')}
            required
          />
        ) : null}
        <Field label="Name" hint="Shown only here." {...bind('name')} />
      </Form>
    </Dialog>
  )
}

type InputEvent = ChangeEvent<HTMLInputElement | HTMLSelectElement>

const targetLabels = {
  social: 'Dataset (pixel) id',
  engine: 'Conversion action id',
  shortvideo: 'Pixel code',
  microsoft: 'UET tag id',
  linkedin: 'Conversion rule id',
} as const

/** Choice of the account's datasets as the platform lists them; a text field if there are none or it does not respond. */
function Pixels({
  connectionId,
  field,
}: {
  connectionId: string
  field: Pick<ComponentProps<'select'>, 'name' | 'value'> & { onChange: (event: InputEvent) => void }
}) {
  const pixels = useProfileRead(listPixels, { params: { id: connectionId } })
  const datasets = pixels.data?.data.pixels ?? []
  if (datasets.length === 0) return <Field label={targetLabels.social} {...field} required />
  const options = [
    { value: '', label: 'Choose a dataset' },
    ...datasets.map(({ id, name }) => ({ value: id, label: name ? `${name} (${id})` : id })),
  ]
  return <Choice label="Dataset" options={options} {...field} required />
}
