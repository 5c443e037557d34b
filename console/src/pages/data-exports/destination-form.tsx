import { createDataDestination, type InputOf, listDataDestinations } from '@whence/sdk'
import { useState } from 'react'
import { useProfileWrite } from '../../api/profile.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'

type NewDestination = InputOf<typeof createDataDestination>['body']

const kinds = [
  { value: 's3', label: 'S3-compatible storage' },
  { value: 'file', label: 'Folder of this deployment' },
]
const schedules = [
  { value: 'daily', label: 'Every day' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'on_demand', label: 'On demand' },
]

export function DataDestinationForm({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({
    kind: 's3',
    name: '',
    folder: '',
    endpoint: '',
    region: '',
    bucket: '',
    prefix: '',
    access_key_id: '',
    secret_access_key: '',
    schedule: 'daily',
  })
  const [includesIdentifiers, setIncludesIdentifiers] = useState(false)
  const [isPathStyle, setIsPathStyle] = useState(false)
  const create = useProfileWrite(createDataDestination, [listDataDestinations])
  const { kind, name, folder, schedule, ...store } = values
  const target = kind === 'file' ? { folder } : { ...store, path_style: isPathStyle }
  const body = { kind, name, target, schedule, include_identifiers: includesIdentifiers }
  return (
    <Dialog open onClose={onClose} title="New destination" wide>
      <Form
        action="Create"
        write={create}
        onSubmit={() => create.mutate({ body: body as NewDestination }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <Field label="Name" {...bind('name')} required />
        <Choice label="Write to" options={kinds} {...bind('kind')} />
        {kind === 'file' ? (
          <Field
            label="Folder"
            hint="Below this profile’s folder on the server; lower-case letters, digits, - and _."
            {...bind('folder')}
            required
          />
        ) : (
          <>
            <Field
              label="Endpoint"
              type="url"
              placeholder="https://s3.eu-west-1.amazonaws.com"
              {...bind('endpoint')}
              required
            />
            <Field label="Region" placeholder="eu-west-1" {...bind('region')} required />
            <Field label="Bucket" {...bind('bucket')} required />
            <Field label="Prefix" hint="A path inside the bucket (optional)." {...bind('prefix')} />
            <Field label="Access key id" autoComplete="off" {...bind('access_key_id')} required />
            <Field
              label="Secret access key"
              type="password"
              autoComplete="off"
              hint="Stored encrypted and never shown again."
              {...bind('secret_access_key')}
              required
            />
            <Check
              label="Bucket in the path, not in the host name"
              checked={isPathStyle}
              onChange={() => setIsPathStyle(!isPathStyle)}
            />
          </>
        )}
        <Choice label="Schedule" options={schedules} {...bind('schedule')} />
        <Check
          label="Include hashes of email addresses and phone numbers"
          checked={includesIdentifiers}
          onChange={() => setIncludesIdentifiers(!includesIdentifiers)}
        />
      </Form>
    </Dialog>
  )
}
