import { Link } from '@tanstack/react-router'
import { getReadiness } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
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
import { manualSteps } from './steps.ts'

const POLL_MS = 2000

const results = [
  {
    title: 'Revenue per campaign',
    text: 'With spend, ROAS and cost per customer, down to the ad.',
    to: '/p/$profileId/campaigns',
  },
  {
    title: 'The journey to each sale',
    text: 'Every visit before a payment, and the credit it got.',
    to: '/p/$profileId/journeys',
  },
  {
    title: 'Comparison with the platforms',
    text: 'Where their figures and yours differ, and why.',
    to: '/p/$profileId/comparison',
  },
] as const

/** Set-up steps of a profile; they are checked off automatically while the page is open. */
export function Setup() {
  const { profile, profiles } = useProfileContext()
  const readiness = useRead(getReadiness, { params: { profileId: profile.id } }, { every: POLL_MS })
  const rates = useMissingRates()
  const ownProfile = profiles.find((candidate) => !candidate.is_demo && candidate.archived_at === null)
  if (profile.is_demo)
    return (
      <Page
        title="Set up"
        note="This is the demo, with sample data. Set up your own figures in six steps."
        actions={
          ownProfile ? (
            <Link
              to="/p/$profileId/setup"
              params={{ profileId: ownProfile.id }}
              className={buttonClass({ kind: 'primary' })}
            >
              Set up {ownProfile.name}
            </Link>
          ) : (
            <Link to="/welcome" className={buttonClass({ kind: 'primary' })}>
              Create a profile
            </Link>
          )
        }
      >
        <ol className="guide">
          {manualSteps.map(({ step, title, note, page, to, tab }, index) => (
            <li key={step} className="card">
              <span className="guide-number" aria-hidden="true">
                {index + 1}
              </span>
              <h2>{title}</h2>
              <p className="muted">{note}</p>
              <Link
                to={to}
                params={{ profileId: profile.id }}
                search={(before) => ({ ...before, tab })}
                className="small"
              >
                {page} in the demo
              </Link>
            </li>
          ))}
        </ol>
        <Card title="What you get" note="Each step is checked off automatically.">
          <ul className="guide-results">
            {results.map(({ title, text, to }) => (
              <li key={title}>
                <Link to={to} params={{ profileId: profile.id }}>
                  {title}
                </Link>
                <span className="sub">{text}</span>
              </li>
            ))}
          </ul>
        </Card>
      </Page>
    )
  return (
    <Page title="Set up" note={`What ${profile.name} needs before you can trust its figures.`}>
      {rates ? <MissingRates meta={rates} /> : null}
      <Loaded query={readiness}>
        {({ data }) => {
          const hasTouches = data.steps.find(({ step }) => step === 'touch_recorded')?.state === 'done'
          const isInstalled = data.steps.find(({ step }) => step === 'tracker_installed')?.state === 'done'
          return (
            <>
              {data.ready ? <Notice tone="good">Everything is set up.</Notice> : null}
              <Card title="Steps" flush>
                <Checklist steps={data.steps} />
              </Card>
              {isInstalled && !hasTouches ? (
                <Notice>
                  The tracker works. Waiting for the first visit from an ad or a link with UTM parameters…
                </Notice>
              ) : hasTouches && !data.ready ? (
                <Notice tone="good">Visits to your site are being recorded.</Notice>
              ) : null}
            </>
          )
        }}
      </Loaded>
      <ProfileForm />
    </Page>
  )
}
