import { Link } from '@tanstack/react-router'
import { getFactors, getMe } from '@whence/sdk'
import { useRead } from '../../api/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Factors } from './factors.tsx'
import { Sessions } from './sessions.tsx'

/** How the person signs in. Outside the profiles, because a workspace may be closed until a second factor is added. */
export function Account() {
  const me = useRead(getMe).data?.data
  const factors = useRead(getFactors)
  return (
    <main className="main" id="main">
      <Page
        title="Sign-in"
        note={me?.email ?? ''}
        actions={
          <Link to="/" className={buttonClass()}>
            Go to reports
          </Link>
        }
      >
        <Loaded query={factors}>
          {({ data }) => (
            <>
              {data.factors.length === 0 && data.required_by.length > 0 ? (
                <Notice tone="warn">
                  {data.required_by.map(({ name, from }) => `${name} (from ${from.slice(0, 10)})`).join(', ')}
                  : a second factor is required. Add one here.
                </Notice>
              ) : null}
              <Factors account={data} />
            </>
          )}
        </Loaded>
        <Sessions />
      </Page>
    </main>
  )
}
