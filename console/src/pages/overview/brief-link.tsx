import { Link } from '@tanstack/react-router'
import type { DataOf, getBrief } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'

export type Sentence = DataOf<typeof getBrief>['sentences'][number]
type ReportLink = NonNullable<Sentence['parts'][number]['link']>

/** A figure of the brief, linked to its report. */
export function BriefLink({ link, text }: { link: ReportLink; text: string }) {
  const { profile } = useProfileContext()
  const { page, campaign_id, date_from, date_to } = link
  const shared = { params: { profileId: profile.id }, children: text }
  const days =
    date_from === null || date_to === null ? {} : { from: date_from, to: date_to, preset: undefined }
  if (page === 'campaigns')
    return (
      <Link
        {...shared}
        to="/p/$profileId/campaigns"
        search={(before) => ({ ...before, ...days, campaign: campaign_id ?? undefined })}
      />
    )
  const to = `/p/$profileId/${page}` as const
  return <Link {...shared} to={to} search={(before: object) => ({ ...before, ...days })} />
}
