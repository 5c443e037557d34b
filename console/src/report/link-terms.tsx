import { CodeBlock } from '../ui/copy.tsx'
import { Choice, Field } from '../ui/field.tsx'
import type { useFields } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]

type Bind = ReturnType<typeof useFields>['bind']

/** Expiry and password of a shared link. */
export function LinkTerms({ bind }: { bind: (name: 'days' | 'password') => ReturnType<Bind> }) {
  return (
    <div className="form-row">
      <Choice label="Expires after" options={lifetimes} {...bind('days')} />
      <Field
        label="Password (optional)"
        type="text"
        autoComplete="off"
        minLength={8}
        maxLength={200}
        hint="8 characters or more"
        {...bind('password')}
      />
    </div>
  )
}

export const LinkReady = ({ link }: { link: { url: string; has_password: boolean } }) => (
  <Notice tone="good">
    The link is ready. Everyone with the link can view it{link.has_password ? ' with the password' : ''}.
    <CodeBlock text={link.url} />
  </Notice>
)
