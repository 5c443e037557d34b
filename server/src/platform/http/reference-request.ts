/** Renders an operation's example as a request with curl and the SDK. */
import type { Operation, Parameter } from './reference-document.ts'

type Credential = 'none' | 'app' | 'key' | 'token'

/** Profile routes use the profile's API key; the others a person's session or token. */
function credentialOf({ security, parameters }: Operation): Credential {
  if (security?.length === 0) return 'none'
  if (security?.every((scheme) => 'app' in scheme)) return 'app'
  return parameters.some(({ name, in: location }) => name === 'profile_id' && location === 'query')
    ? 'key'
    : 'token'
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const examples = (operation: Operation, location: Parameter['in']) =>
  operation.parameters.filter((parameter) => parameter.in === location && parameter.example !== undefined)

const bodyOf = (operation: Operation) => operation.requestBody?.content['application/json']

/** File name in upload examples. */
const FILE = 'picture.png'

export function curlOf(operation: Operation): string {
  const path = examples(operation, 'path').reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    operation.path,
  )
  const query = examples(operation, 'query').map(
    ({ name, example }) => `${name}=${encodeURIComponent(String(example))}`,
  )
  const credential = credentialOf(operation)
  const body = bodyOf(operation)
  const types = Object.keys(operation.requestBody?.content ?? {})
  const isFile = operation.answers.some(({ content }) =>
    Object.keys(content).some((type) => type !== 'application/json'),
  )
  const parts = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}"$WHENCE_URL${[path, ...(query.length === 0 ? [] : [query.join('&')])].join('?')}"`,
    ...(credential === 'app' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(credential === 'key' ? ['-H "Authorization: Bearer $WHENCE_KEY"'] : []),
    ...(credential === 'token' ? ['-H "Authorization: Bearer $WHENCE_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example ?? {}, null, 2))}`]),
    ...(body === undefined && types.includes('image/*')
      ? ["-H 'Content-Type: image/png'", `--data-binary @${FILE}`]
      : []),
    ...(body === undefined && types.length === 1 && types[0] === 'multipart/form-data'
      ? [`-F file=@${FILE}`]
      : []),
    ...(isFile ? ['-OJ'] : []),
  ]
  return parts.join(' \\\n  ')
}

const credentials: Record<Credential, string> = {
  none: '',
  app: ', app: { clientId: process.env.CLIENT_ID!, clientSecret: process.env.CLIENT_SECRET! }',
  key: ', token: process.env.WHENCE_KEY!',
  token: ', token: process.env.WHENCE_TOKEN!',
}

/** Undefined if the SDK has no such call, or the body is a file. */
export function sdkCallOf(operation: Operation): string | undefined {
  const { operationId, requestBody, answers } = operation
  const body = bodyOf(operation)
  if (operation.deprecated || (requestBody !== undefined && body === undefined)) return undefined
  const params = valuesOf(examples(operation, 'path'))
  const query = valuesOf(examples(operation, 'query'))
  const input = Object.entries({ params, query, ...(body === undefined ? {} : { body: body.example ?? {} }) })
    .filter(([part, value]) => part === 'body' || Object.keys(value as object).length > 0)
    .map(([part, value]) => `  ${part}: ${indented(literal(value))},\n`)
  const hasData = answers.some(({ content }) => 'application/json' in content)
  const call = `await whence.call(${operationId}${input.length === 0 ? '' : `, {\n${input.join('')}}`})`
  return `import { createClient, ${operationId} } from '@whence/sdk'

const whence = createClient({ baseUrl: process.env.WHENCE_URL!${credentials[credentialOf(operation)]} })

${hasData ? 'const { data } = ' : ''}${call}`
}

const valuesOf = (parameters: readonly Parameter[]) =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example]))

/** Formats a value as a TypeScript literal. */
const literal = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) => (/'|\\"/.test(text) ? text : `'${text.slice(1, -1)}'`))

const indented = (text: string) => text.replaceAll('\n', '\n  ')
