import { isApiError, messageOf } from '../api/call.ts'
import { basePath } from '../base-path.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A failed read, with the error code linked to its documentation and a retry button. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const apiError = isApiError(error) ? error : undefined
  return (
    <div className="empty" role="alert">
      <Icon name="alert" size={28} />
      <h3>This could not be loaded</h3>
      <p>{messageOf(error)}</p>
      {apiError ? (
        <p className="small faint">
          <a href={`${basePath}/docs/errors#${apiError.code}`}>{apiError.code}</a> · {apiError.requestId}
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
