import {
  type ExportDestination,
  getConversionSyncCatalog,
  listExportDestinations,
  updateExportDestination,
} from '@whence/sdk'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const eventIdOptions = [
  { value: 'whence', label: 'Whence’s own id' },
  { value: 'order_id', label: 'Order id' },
  { value: 'property', label: 'A property of the event' },
]

/** Maps goals to the platform's events, and sets the code of its test view. */
export function DestinationSettings({
  destination,
  onClose,
}: {
  destination: ExportDestination
  onClose: () => void
}) {
  const catalog = useProfileRead(getConversionSyncCatalog)
  return (
    <Dialog open onClose={onClose} title={destination.display_name} wide>
      <Loaded query={catalog}>
        {({ data }) => (
          <Settings
            destination={destination}
            goals={data.conversions.map(({ conversion_key }) => conversion_key)}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

function Settings({
  destination,
  goals,
  onClose,
}: {
  destination: ExportDestination
  goals: readonly string[]
  onClose: () => void
}) {
  const mapped = new Map(destination.event_map.map((entry) => [entry.conversion_key, entry.event_name]))
  const keys = [...new Set([...goals, ...mapped.keys()])]
  const { values, bind } = useFields({
    name: destination.display_name,
    test: destination.test_event_code ?? '',
    eventId: destination.event_id_source.startsWith('properties.') ? 'property' : destination.event_id_source,
    property: destination.event_id_source.replace(/^(properties\.|whence$|order_id$)/, ''),
    ...Object.fromEntries(keys.map((key) => [`goal ${key}`, mapped.get(key) ?? ''])),
  } as Record<string, string>)
  const update = useProfileWrite(updateExportDestination, [listExportDestinations])
  const save = () =>
    update.mutate(
      {
        params: { id: destination.id },
        body: {
          display_name: values.name!,
          event_id_source:
            values.eventId === 'property' ? `properties.${values.property!.trim()}` : values.eventId!,
          test_event_code: values.test!.trim() || null,
          event_map: keys.flatMap((key) => {
            const eventName = values[`goal ${key}`]!.trim()
            return eventName === '' ? [] : [{ conversion_key: key, event_name: eventName }]
          }),
        },
      },
      { onSuccess: onClose },
    )
  const testHint =
    destination.kind === 'engine'
      ? 'With any code, the platform checks conversions without counting them.'
      : 'From the platform’s test page. While it is set, every conversion is a test event.'
  return (
    <Form action="Save" write={update} onSubmit={save} onCancel={onClose}>
      <Field label="Name" {...bind('name')} required />
      {destination.kind === 'microsoft' || destination.kind === 'linkedin' ? null : (
        <Field label="Test event code" hint={testHint} {...bind('test')} />
      )}
      <Choice
        label="Event id"
        hint="Your website’s pixel reports the same sale. The platform counts it once if both use the same id. Choose the value that your pixel sends as its event id."
        options={eventIdOptions}
        {...bind('eventId')}
      />
      {values.eventId === 'property' ? (
        <Field label="Property" hint="For example event_id" {...bind('property')} required />
      ) : null}
      <fieldset className="field">
        <legend className="label">Goals and their events</legend>
        <span className="hint">A goal without an event name is not sent here.</span>
        <div className="event-map">
          {keys.map((key) => (
            <Field key={key} label={sentence(key)} placeholder="not sent" {...bind(`goal ${key}`)} />
          ))}
        </div>
      </fieldset>
    </Form>
  )
}
