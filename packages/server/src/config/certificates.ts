import { z } from 'zod'
import { port } from './values.ts'

/** Settings of the certificate authority. */
export const certificateVariables = {
  ACME_DIRECTORY_URL: z.url({ protocol: /^https$/ }).optional(),
  ACME_EMAIL: z.email().optional(),
  ACME_CA_FILE: z.string().optional(),
  ACME_EAB_KID: z.string().optional(),
  ACME_EAB_HMAC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url')
    .optional(),
  ACME_HTTP_PORT: port.optional(),
  ACME_CHECK_REACHABLE: z.stringbool().default(true)
}
