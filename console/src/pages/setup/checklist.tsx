import { Link } from '@tanstack/react-router'
import type { ReadinessStep } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { guides } from './steps.ts'

/** The set-up steps of a profile with their status and a link to each open one. */
export function Checklist({ steps }: { steps: readonly ReadinessStep[] }) {
  const { profile } = useProfileContext()
  // Only a partner app can switch attribution off; otherwise the step is always done and is not shown.
  const visibleSteps = steps.filter(({ step, state }) => step !== 'attribution_enabled' || state !== 'done')
  const next = steps.find(({ state }) => state !== 'done')?.step
  return (
    <ol className="list">
      {visibleSteps.map(({ step, state }) => {
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
