import { z } from 'zod'

/**
 * Every error code of the API and the HTTP status it travels with: the one table of both.
 * Codes and statuses: spec "Errors"; the codes that the spec leaves open: decisions "Bodies".
 */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  MALFORMED_JSON: 400,
  INVALID_TARGET: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  SIGNATURE_INVALID: 401,
  '2FA_INVALID_CODE': 401,
  LINK_INVALID: 400,
  FORBIDDEN: 403,
  FORBIDDEN_ROLE: 403,
  ADMIN_2FA_REQUIRED: 403,
  ACCOUNT_SUSPENDED: 403,
  FRESH_AUTH_REQUIRED: 403,
  OVERSELL_NOT_ENABLED: 403,
  REGISTRATION_DISABLED: 403,
  QUOTA_EXCEEDED: 403,
  DOMAIN_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  EMAIL_EXISTS: 409,
  TWO_FACTOR_ENABLED: 409,
  TWO_FACTOR_NOT_ENABLED: 409,
  ACCOUNT_NOT_EMPTY: 409,
  LAST_ADMIN: 409,
  PROJECT_NAME_EXISTS: 409,
  GIT_NOT_CONNECTED: 409,
  NOT_BUILT: 409,
  IMAGE_NOT_KEPT: 409,
  CONTAINER_MISSING: 409,
  DEPLOYMENT_FINISHED: 409,
  DEPLOYMENT_IN_PROGRESS: 409,
  DEPLOYMENT_FAILED: 409,
  HOSTNAME_EXISTS: 409,
  HOSTNAME_RESERVED: 409,
  DOMAIN_NOT_ACTIVE: 409,
  DNS_NOT_MANAGED: 409,
  DNS_MODE_MAIL_ACTIVE: 409,
  DNS_NOT_DELEGATED: 409,
  DNS_ZONE_CONFLICT: 409,
  DNS_RECORD_EXISTS: 409,
  DNS_RECORD_CONFLICT: 409,
  DNS_RECORD_LIMIT: 409,
  DNSSEC_DS_PRESENT: 409,
  CERTIFICATE_EXISTS: 409,
  CERTIFICATE_PENDING: 409,
  CERTIFICATE_NOT_RENEWABLE: 409,
  CERTIFICATE_INVALID: 400,
  KEY_INVALID: 400,
  KEY_MISMATCH: 400,
  CHAIN_INVALID: 400,
  CERTIFICATE_EXPIRED: 400,
  CERTIFICATE_HOST_MISMATCH: 400,
  PORTS_EXHAUSTED: 503,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  GIT_URL_UNSUPPORTED: 422,
  GIT_UNREACHABLE: 422,
  RATE_LIMITED: 429,
  BUSY: 503,
  INTERNAL: 500,
  CONTAINER_ENGINE_UNAVAILABLE: 503,
  REVERSE_PROXY_UNAVAILABLE: 503,
  DNS_SERVER_UNAVAILABLE: 503,
  MAIL_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

/** The body of every non-2xx answer. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A sentence for a person: what went wrong and what to do.' }),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional()
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof ErrorBody>
