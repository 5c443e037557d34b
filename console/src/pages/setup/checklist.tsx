import { Link } from '@tanstack/react-router'
import type { ReadinessStep } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { guides } from './steps.ts'

/** The steps of a profile, done or not, each with the way to do it. */
export function Checklist({ steps }: { steps: readonly ReadinessStep[] }) {
  const { profile } = useProfileContext()
  // Only a partner app can switch attribution off: without one there is nothing to do.
  const own = steps.filter(({ step, state }) => step !== 'attribution_enabled' || state !== 'done')
  const next = steps.find(({ state }) => state !== 'done')?.step
  return (
    <ol className="list">
      {own.map(({ step, state }) => {
        const { title, note, action, to, tab } = guides[step]
        return (
          <li key={step}>
            <span className={state === 'done' ? 'step-mark done' : 'step-mark'} aria-hidden="true">
              {state === 'done' ? <Icon name="check" size={14} /> : null}
            </span>
            <span className="grow">
              <strong>{title}</strong>
              <span className="sub">{note}</span>
            </span>
            {state === 'done' ? (
              <Badge tone="good">Done</Badge>
            ) : (
              <>
                {state === 'attention' ? <Badge tone="warn">Stopped working</Badge> : null}
                <Link
                  to={to}
                  params={{ profileId: profile.id }}
                  search={(before) => ({ ...before, tab })}
                  className={buttonClass(step === next ? { kind: 'primary' } : {})}
                >
                  {action}
                </Link>
              </>
            )}
          </li>
        )
      })}
    </ol>
  )
}
