import { getTrackingSnippet, issueTrackingKey, listTrackingKeys } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The snippet to paste, with the tracking key. The key is publishable, so a page may contain it. */
export function Snippet() {
  const keys = useProfileRead(listTrackingKeys)
  const issue = useProfileWrite(issueTrackingKey, [listTrackingKeys, getTrackingSnippet])
  const key = keys.data?.data[0]
  const snippet = useProfileRead(getTrackingSnippet, {}, { enabled: key !== undefined })
  return (
    <Card
      title="Snippet"
      note="Paste it into the head of every page, before anything else that sets cookies."
      flush={keys.data !== undefined && !key}
    >
      {issue.isError ? <Notice tone="bad">{messageOf(issue.error)}</Notice> : null}
      <Loaded query={keys}>
        {() =>
          key ? (
            <div className="stack">
              <Loaded query={snippet}>{({ data }) => <CodeBlock text={data.html} />}</Loaded>
              <dl className="pairs">
                <dt>Tracking key</dt>
                <dd>
                  <code>{key.key}</code>
                </dd>
                <dt>Created</dt>
                <dd>{instantText(key.created_at)}</dd>
              </dl>
            </div>
          ) : (
            <Empty
              icon="tracking"
              title="No tracking key yet"
              actions={
                <Button kind="primary" busy={issue.isPending} onClick={() => issue.mutate({})}>
                  Create a key
                </Button>
              }
            >
              The key identifies the profile that a visit belongs to. It is not a secret.
            </Empty>
          )
        }
      </Loaded>
    </Card>
  )
}
