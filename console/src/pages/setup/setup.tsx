import { Link } from '@tanstack/react-router'
import { getReadiness } from '@whence/server/features/account/profiles/contract.ts'
import { usePlace } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { useMissingRates } from '../../health/use-problems.ts'
import { MissingRates } from '../../report/freshness.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ProfileForm } from '../settings/profile-form.tsx'
import { Checklist } from './checklist.tsx'
import { guides } from './steps.ts'

const LOOK_MS = 2000

/** What a profile needs, from what the service sees of it; steps tick themselves off while the page is open. */
export function Setup() {
  const { profile, profiles } = usePlace()
  const readiness = useRead(getReadiness, { params: { profileId: profile.id } }, { every: LOOK_MS })
  const rates = useMissingRates()
  const own = profiles.find((one) => !one.is_demo && one.archived_at === null)
  if (profile.is_demo)
    return (
      <Page title="Set up" note="This is the demo, with made-up data.">
        <Card>
          <div className="more">
            <p>Set up your own business to see your own figures.</p>
            {own ? (
              <Link
                to="/p/$profileId/setup"
                params={{ profileId: own.id }}
                className={buttonClass({ kind: 'primary' })}
              >
                Set up {own.name}
              </Link>
            ) : (
              <Link to="/welcome" className={buttonClass({ kind: 'primary' })}>
                Create a profile
              </Link>
            )}
          </div>
        </Card>
        <Card title="What it takes" note="Steps tick themselves off as the service sees them done.">
          <ol className="reasons">
            {Object.entries(guides)
              .filter(([step]) => step !== 'attribution_enabled')
              .map(([step, { title, note }]) => (
                <li key={step}>
                  <strong>{title}</strong>
                  <br />
                  <span className="muted">{note}</span>
                </li>
              ))}
          </ol>
        </Card>
      </Page>
    )
  return (
    <Page title="Set up" note={`What ${profile.name} needs before its figures can be trusted.`}>
      {rates ? <MissingRates meta={rates} /> : null}
      <Loaded query={readiness}>
        {({ data }) => {
          const seen = data.steps.find(({ step }) => step === 'touch_recorded')?.state === 'done'
          const installed = data.steps.find(({ step }) => step === 'tracker_installed')?.state === 'done'
          return (
            <>
              {data.ready ? <Notice tone="good">Everything is set up.</Notice> : null}
              <Card title="Steps" flush>
                <Checklist steps={data.steps} />
              </Card>
              {installed && !seen ? (
                <Notice>
                  The tracker answers. Waiting for the first visit from an ad or a link with UTM parameters…
                </Notice>
              ) : seen && !data.ready ? (
                <Notice tone="good">We see visits of your site.</Notice>
              ) : null}
            </>
          )
        }}
      </Loaded>
      <ProfileForm />
    </Page>
  )
}
