import { plural } from '../../format/numbers.ts'

/** How much a credential may do; a long list stays folded until somebody asks. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length <= 3) return <span className="sub">May {scopes.join(', ')}</span>
  return (
    <details className="sub">
      <summary>{plural(scopes.length, 'scope')}</summary>
      {scopes.join(', ')}
    </details>
  )
}
