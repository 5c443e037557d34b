import { isRefusal, messageOf } from '../api/call.ts'
import { basePath } from '../base-path.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A read that was refused: what happened, where it is explained, and a way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const refusal = isRefusal(error) ? error : undefined
  return (
    <div className="empty" role="alert">
      <Icon name="alert" size={28} />
      <h3>This could not be loaded</h3>
      <p>{messageOf(error)}</p>
      {refusal ? (
        <p className="small faint">
          <a href={`${basePath}/docs/errors#${refusal.code}`}>{refusal.code}</a> · {refusal.requestId}
        </p>
      ) : null}
      {retry ? (
        <div className="toolbar">
          <Button onClick={retry}>
            <Icon name="refresh" size={16} />
            Try again
          </Button>
        </div>
      ) : null}
    </div>
  )
}
