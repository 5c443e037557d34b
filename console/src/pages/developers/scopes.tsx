import { plural } from '../../format/numbers.ts'

/** A credential's scopes; a long list is collapsed. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length <= 3) return <span className="sub">Scopes: {scopes.join(', ')}</span>
  return (
    <details className="sub">
      <summary>{plural(scopes.length, 'scope')}</summary>
      {scopes.join(', ')}
    </details>
  )
}
