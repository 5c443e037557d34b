import { captureSnapshot, type DataOf, listSnapshots, revokeSnapshot } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { dayText, instantText } from '../../format/times.ts'
import { LinkReady, LinkTerms } from '../../report/link-terms.tsx'
import type { CreativeSearch } from '../../search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isFiltered } from './filters.tsx'
import type { Window } from './use-board.ts'

type Snapshot = DataOf<typeof listSnapshots>[number]
export const windowNames: Record<Window, string> = {
  '7d': '7 days',
  '14d': '14 days',
  '28d': '28 days',
  lifetime: 'All time',
}

const asList = <T,>(value: T | undefined) => (value === undefined ? undefined : [value])

/** Shares a frozen copy of the board by link, and lists the existing links. */
export function Share({
  search,
  window,
  onClose,
}: {
  search: CreativeSearch
  window: Window
  onClose: () => void
}) {
  const { workspace } = useProfileContext()
  const [revoking, setRevoking] = useState<Snapshot | null>(null)
  const params = { workspaceId: workspace.id }
  const snapshots = useRead(listSnapshots, { params })
  const revoke = useWrite(revokeSnapshot, [listSnapshots])
  if (revoking)
    return (
      <Confirm
        title={`Revoke “${revoking.name}”?`}
        action="Revoke"
        onClose={() => setRevoking(null)}
        onConfirm={() => revoke.mutateAsync({ params: { ...params, snapshotId: revoking.id } })}
      >
        The link stops working immediately, for everyone.
      </Confirm>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="Share this board"
      note="A link to the best 50 ads with their current scores. It never changes, and stays out of search engines."
    >
      {workspace.role === 'viewer' ? (
        <Notice>Only editors of the workspace can create links.</Notice>
      ) : (
        <NewLink search={search} window={window} />
      )}
      <section className="stack" aria-label="Shared links">
        <h3>Shared links</h3>
        <Loaded query={snapshots}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="muted">No links yet.</p>
            ) : (
              <ul className="shared-links">
                {data.map((row) => (
                  <li key={row.id}>
                    <span className="grow">
                      <strong>{row.name}</strong>
                      <span className="sub">
                        {windowNames[row.window]}, captured {instantText(row.captured_at)}, until{' '}
                        {dayText(row.expires_at.slice(0, 10), true)}
                      </span>
                      <span className="sub">
                        Viewed {plural(row.views, 'time')}
                        {row.has_password ? ', protected by a password' : ', open to everyone with the link'}
                      </span>
                    </span>
                    <CopyButton text={row.url} label="Copy link" />
                    <a
                      className={buttonClass({ small: true })}
                      href={row.url}
                      target="_blank"
                      rel="noreferrer"
                    >
                      Open<span className="sr-only"> {row.name}</span>
                    </a>
                    {workspace.role === 'viewer' ? null : (
                      <Button small onClick={() => setRevoking(row)}>
                        Revoke<span className="sr-only"> {row.name}</span>
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </Dialog>
  )
}

function NewLink({ search, window }: { search: CreativeSearch; window: Window }) {
  const { profile, workspace } = useProfileContext()
  const capture = useWrite(captureSnapshot, [listSnapshots])
  const { values, bind, setValues } = useFields({ name: '', days: '30', password: '' })
  const submit = () =>
    capture.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          name: values.name,
          window,
          expires_in_days: Number(values.days),
          password: values.password || undefined,
          filters: {
            profile_ids: search.adsOf === 'workspace' ? undefined : [profile.id],
            formats: asList(search.format),
            objectives: asList(search.objective),
            truth_grades: asList(search.grade as 'attributed' | undefined),
            outcome_kinds: asList(search.outcome as 'cash' | undefined),
            has_video: search.video === undefined ? undefined : search.video === 'true',
            min_spend: search.least,
          },
        },
      },
      { onSuccess: () => setValues({ name: '', days: '30', password: '' }) },
    )
  return (
    <>
      {capture.data ? <LinkReady link={capture.data.data} /> : null}
      <Form action="Create link" onSubmit={submit} write={capture}>
        <Field
          label="Name"
          required
          maxLength={120}
          placeholder="Best ads of May"
          hint={`${windowNames[window]}${isFiltered(search) ? ', with the filters of this page' : ''}. Shown at the top of the page.`}
          {...bind('name')}
        />
        <LinkTerms bind={bind} />
      </Form>
    </>
  )
}
