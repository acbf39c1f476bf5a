import { z } from 'zod'
import { sentencesOf } from './common.ts'
import { FailureSentences } from './deployments.ts'
import { remedyTexts } from './remedy-texts.ts'
import { detailCodes } from './details.ts'

export const errorStatus = {
  VALIDATION_ERROR: 400,
  MALFORMED_JSON: 400,
  MALFORMED_REQUEST: 400,
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
  SETUP_TOKEN_REQUIRED: 403,
  QUOTA_EXCEEDED: 403,
  DOMAIN_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  EMAIL_EXISTS: 409,
  TWO_FACTOR_ENABLED: 409,
  TWO_FACTOR_NOT_ENABLED: 409,
  ACCOUNT_NOT_EMPTY: 409,
  LAST_ADMIN: 409,
  SETTING_FIXED: 409,
  PROJECT_NAME_EXISTS: 409,
  GIT_NOT_CONNECTED: 409,
  NOT_BUILT: 409,
  IMAGE_NOT_KEPT: 409,
  UPLOAD_NOT_KEPT: 409,
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
  ENV_GROUP_EXISTS: 409,
  DATABASE_NAME_EXISTS: 409,
  DATABASE_VARIABLES_EXIST: 409,
  DATABASE_CHANGING: 409,
  MAILBOX_EXISTS: 409,
  MAIL_ALIAS_EXISTS: 409,
  MAIL_ALIAS_LOOP: 409,
  DKIM_KEY_MISSING: 409,
  DKIM_KEY_PENDING: 409,
  DKIM_KEY_IN_USE: 409,
  DKIM_KEY_LIMIT: 409,
  PATH_INVALID: 400,
  PATH_FORBIDDEN: 403,
  PATH_PROTECTED: 403,
  FILE_ALREADY_EXISTS: 409,
  FILE_CHANGED: 409,
  NOT_A_FILE: 409,
  NOT_A_DIRECTORY: 409,
  NOT_TEXT: 409,
  RANGE_NOT_SATISFIABLE: 416,
  ADDRESS_EXEMPT: 409,
  BANS_OFF: 409,
  FIREWALL_CHANGE_PENDING: 409,
  FIREWALL_CONNECTION_OLD: 409,
  FIREWALL_LOCKOUT: 409,
  REDIRECT_LOOP: 409,
  FIREWALL_SSH_LOCKOUT: 409,
  ARCHIVE_INVALID: 422,
  SSH_KEY_INVALID: 400,
  SSH_KEY_EXISTS: 409,
  NOT_WORDPRESS: 409,
  WORDPRESS_IMPORT_RUNNING: 409,
  WORDPRESS_IMPORT_FAILED: 422,
  PORTS_EXHAUSTED: 503,
  NETWORKS_EXHAUSTED: 503,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  GIT_URL_UNSUPPORTED: 422,
  RUNTIME_VERSION_UNSUPPORTED: 422,
  GIT_UNREACHABLE: 422,
  REGISTRY_UNREACHABLE: 422,
  BACKUP_TARGET_UNREACHABLE: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  BUSY: 503,
  INTERNAL: 500,
  CONTAINER_ENGINE_UNAVAILABLE: 503,
  REVERSE_PROXY_UNAVAILABLE: 503,
  DNS_SERVER_UNAVAILABLE: 503,
  MAIL_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
  WORKER_UNAVAILABLE: 503,
  DATABASE_SERVER_UNAVAILABLE: 503,
  DATABASE_ADMIN_UNAVAILABLE: 503,
  FILES_UNAVAILABLE: 503,
  FIREWALL_UNAVAILABLE: 503,
  SFTP_UNAVAILABLE: 503,
  NODE_UNAVAILABLE: 503,
  DISK_FULL: 507
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus
export const ErrorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])

const DetailCode = z.enum(detailCodes).meta({
  id: 'DetailCode',
  description: 'What is wrong with the value, for programs and translations; INVALID if only the message says.'
})

export const RemedySentences = sentencesOf('RemedyCode', remedyTexts)

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A message for people: what happened and what to do.' }),
    code: ErrorCode,
    outage: z
      .object({
        cause: z.string().optional().meta({ description: 'What the component or the operating system reported.' }),
        remedy: z.string(),
        sentences: RemedySentences
      })
      .optional()
      .meta({
        description:
          'Only for codes that end in _UNAVAILABLE and only for an ADMIN (a session, or a token with the scope `full`), because it may ' +
          'contain paths and addresses of the server. `error` includes both then.'
      }),
    sentences: FailureSentences.optional().meta({
      description:
        'Why the Git repository or the image registry could not be reached: `error` in machine-readable form, one code per sentence, with its `values`.'
    }),
    details: z
      .array(
        z.object({
          path: z.string(),
          message: z.string().meta({ description: 'In English; continues a sentence that starts with the path.' }),
          code: DetailCode,
          values: z
            .record(z.string(), z.union([z.string(), z.number()]))
            .optional()
            .meta({ description: 'Values of the message: `count`, `limit` or `names`.' })
        })
      )
      .optional()
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof ErrorBody>
