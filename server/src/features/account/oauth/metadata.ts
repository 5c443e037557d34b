/** Discovery metadata for clients: RFC 8414 and RFC 9728. */
import type { Service } from '../../../context.ts'
import { grants } from '../../../platform/contract/access.ts'
import { publicScopes } from './rules.ts'

/** Resource indicators that clients may request a token for. */
export function resourcesOf(service: Service): string[] {
  const base = service.config.BASE_URL
  return [base, `${base}/api/v1`, `${base}/mcp`]
}

export function authorizationServer(service: Service) {
  const base = service.config.BASE_URL
  const clientAuth = ['client_secret_basic', 'client_secret_post', 'none']
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    revocation_endpoint: `${base}/oauth/revoke`,
    registration_endpoint: `${base}/oauth/register`,
    scopes_supported: [...publicScopes, ...Object.keys(grants)],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: clientAuth,
    revocation_endpoint_auth_methods_supported: clientAuth,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${base}/docs`,
  }
}

export function protectedResource(service: Service, path: '' | '/mcp' = '') {
  const base = service.config.BASE_URL
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: [...publicScopes],
    bearer_methods_supported: ['header'],
    resource_name: 'Whence',
    resource_documentation: `${base}/docs`,
  }
}
