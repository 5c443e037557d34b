import { type Scope, scopes } from '@whence/server/platform/contract/access.ts'
import { Check } from '../../ui/field.tsx'
import { toggled } from '../../ui/form.tsx'

/** Chooses a credential's scopes; `withWorkspace` adds those that keys cannot have. */
export function ScopePicker({
  chosen,
  onChange,
  withWorkspace = false,
}: {
  chosen: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  withWorkspace?: boolean
}) {
  const availableScopes = scopes.filter((scope) => withWorkspace || scope !== 'workspaces:write')
  return (
    <fieldset className="field">
      <legend className="label">Scopes</legend>
      <div className="scope-grid">
        {availableScopes.map((scope) => (
          <Check
            key={scope}
            label={scope}
            checked={chosen.includes(scope)}
            onChange={() => onChange(toggled(chosen, scope))}
          />
        ))}
      </div>
    </fieldset>
  )
}
