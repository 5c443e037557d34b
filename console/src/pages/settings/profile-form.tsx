import { listProfiles, updateProfile } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { CountryField, PlaceFields } from '../../shell/place-fields.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Edits a profile. Time zone and currency define its days and amounts, so they are fixed once it has data. */
export function ProfileForm() {
  const { profile } = useProfileContext()
  const { name, timezone, currency } = profile
  const savedValues = { name, timezone, currency, country: profile.country ?? '' }
  const { values, bind } = useFields(savedValues)
  const update = useWrite(updateProfile, [listProfiles])
  const toast = useToast()
  const changed = Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => value !== savedValues[key as keyof typeof savedValues])
      .map(([key, value]) => [key, key === 'country' && value === '' ? null : value]),
  )
  return (
    <Card title="Profile" note="Time zone and currency can be changed until the first data arrives.">
      <Form
        action="Save profile"
        write={update}
        disabled={Object.keys(changed).length === 0}
        onSubmit={() =>
          update.mutate(
            { params: { profileId: profile.id }, body: changed },
            { onSuccess: () => toast('Profile savedValues') },
          )
        }
      >
        <Field label="Business name" {...bind('name')} required />
        <PlaceFields bind={bind} />
        <CountryField {...bind('country')} />
      </Form>
    </Card>
  )
}
