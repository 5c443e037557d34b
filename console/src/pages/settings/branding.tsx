import { type DataOf, getBranding, putBranding } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Logo } from './logo.tsx'

type Brand = DataOf<typeof getBranding>
type Draft = Omit<Brand, 'logo_url' | 'updated_at'>

/** The workspace's name, logo and colours that outsiders see instead of the service's. */
export function BrandingSettings() {
  const { workspace } = useProfileContext()
  const branding = useRead(getBranding, { params: { workspaceId: workspace.id } })
  return (
    <Loaded query={branding}>
      {({ data }) => (
        <>
          <Logo url={data.logo_url} />
          <Card
            title="Name and colours"
            note="Shown to people outside the workspace, such as on hand-off pages."
          >
            <BrandForm brand={data} />
          </Card>
        </>
      )}
    </Loaded>
  )
}

function BrandForm({ brand }: { brand: Brand }) {
  const { workspace } = useProfileContext()
  const { logo_url: _logo, updated_at: _time, ...fields } = brand
  const [draft, setDraft] = useState<Draft>(fields)
  const put = useWrite(putBranding, [getBranding])
  const toast = useToast()
  const bind = (name: keyof Draft) => ({
    value: draft[name] ?? '',
    onChange: (event: { target: { value: string } }) =>
      setDraft((before) => ({ ...before, [name]: event.target.value === '' ? null : event.target.value })),
  })
  const submit = () =>
    put.mutate(
      { params: { workspaceId: workspace.id }, body: draft },
      { onSuccess: () => toast('Branding saved') },
    )
  return (
    <Form action="Save" write={put} onSubmit={submit}>
      <div className="form-row">
        <Field label="Name" {...bind('display_name')} />
        <Field label="Website" type="url" placeholder="https://" {...bind('website_url')} />
        <Field label="Support email" type="email" {...bind('support_email')} />
      </div>
      <div className="form-row">
        <Field
          label="Main colour"
          placeholder="#1a2b3c"
          pattern="#[0-9a-fA-F]{6}"
          title="A colour such as #1a2b3c"
          {...bind('primary_color')}
        />
        <Field
          label="Second colour"
          placeholder="#1a2b3c"
          pattern="#[0-9a-fA-F]{6}"
          title="A colour such as #1a2b3c"
          {...bind('accent_color')}
        />
      </div>
    </Form>
  )
}
