import { Link } from '@tanstack/react-router'
import type { AlertFigure } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { type AlertCondition, figureText } from './alert-text.ts'

/** An alert's figure, linked to the report that shows it. */
export function FigureLink({ figure, condition }: { figure: AlertFigure; condition: AlertCondition }) {
  const { profile } = useProfileContext()
  const { value, detail } = figureText(figure, condition, profile.currency)
  const shared = { params: { profileId: profile.id }, children: <strong>{value}</strong> }
  const days = { from: figure.date_from, to: figure.date_to, preset: undefined, model: 'last_touch' as const }
  return (
    <span className="alert-figure">
      {condition.kind === 'finding' ? (
        <Link {...shared} to="/p/$profileId/data-health" />
      ) : condition.campaign_id === null ? (
        <Link {...shared} to="/p/$profileId/overview" search={(before) => ({ ...before, ...days })} />
      ) : (
        <Link
          {...shared}
          to="/p/$profileId/campaigns"
          search={(before) => ({ ...before, ...days, campaign: condition.campaign_id! })}
        />
      )}
      <span className="sub">{detail}</span>
    </span>
  )
}
