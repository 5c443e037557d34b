/** Converts errors to the API's error envelope. */
import { ApiError, type ErrorBody } from '../contract/errors.ts'
import { isConflict, isDatabaseUnavailable, isOutOfSpace } from '../db/database.ts'

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isOutOfSpace(error))
    return new ApiError(
      'database_unavailable',
      'The database cannot write (disk or memory full). Nothing was written; reads still work.',
      { cause: error, retryAfter: 30 },
    )
  if (isDatabaseUnavailable(error))
    return new ApiError('database_unavailable', 'The database cannot be reached. Try again shortly.', {
      cause: error,
      retryAfter: 2,
    })
  if (isConflict(error))
    return new ApiError(
      'database_unavailable',
      'Other requests changed the same records at the same moment. Nothing was saved; try again shortly.',
      { cause: error, retryAfter: 1 },
    )
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large', 'The body is larger than this route accepts.', {
        cause: error,
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(
        'invalid_request',
        'This route does not accept this content type; send application/json.',
        {
          cause: error,
        },
      )
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('invalid_request', 'The request is malformed.', { cause: error })
    default:
      return new ApiError('internal_error', 'An unexpected error occurred. Give the request id to support.', {
        cause: error,
      })
  }
}

export function toErrorBody(error: ApiError, requestId: string, baseUrl: string): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      status: error.status,
      request_id: requestId,
      docs_url: `${baseUrl}/docs/errors#${error.code}`,
      ...error.extras,
    },
  }
}
