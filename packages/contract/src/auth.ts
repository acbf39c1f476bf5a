import { z } from 'zod'
import { Timestamp } from './common.ts'
import { words } from './details.ts'
import { Email, Name, Password } from './users.ts'

export const Register = z
  .object({
    name: Name,
    email: Email,
    password: Password,
    confirmPassword: z.string().max(128),
    setupToken: z.string().max(100).optional().meta({
      description:
        'The part after the # of the setup link. Required for the first account unless you register from the server itself.'
    })
  })
  .refine((body) => body.password === body.confirmPassword, {
    path: ['confirmPassword'],
    error: words.OTHER_PASSWORD
  })
  .refine((body) => body.password.toLowerCase() !== body.email.toLowerCase(), {
    path: ['password'],
    error: words.EMAIL_AS_PASSWORD
  })
export type Register = z.infer<typeof Register>

// Deliberately looser than Register: a malformed address counts as wrong credentials and does not reveal the rules.
export const Login = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(128) })
export type Login = z.infer<typeof Login>

export const ChangePassword = z
  .object({
    currentPassword: z.string().min(1).max(128),
    newPassword: Password,
    confirmNewPassword: z.string().max(128),
    revokeTokens: z.boolean().default(true).meta({
      description:
        'Whether to revoke the account’s API tokens too: someone who knew the old password may have created one.'
    })
  })
  .refine((body) => body.newPassword === body.confirmNewPassword, {
    path: ['confirmNewPassword'],
    error: words.OTHER_NEW_PASSWORD
  })
export type ChangePassword = z.infer<typeof ChangePassword>

export const Confirm = z.object({
  password: z.string().min(1).max(128),
  code: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Required if two-factor is on; accepts a recovery code too.' })
})
export type Confirm = z.infer<typeof Confirm>
export const Confirmed = z
  .object({
    confirmedUntil: Timestamp.meta({
      description: 'Until then, actions that require a confirmed identity are allowed.'
    })
  })
  .meta({ id: 'Confirmed' })

export const AuthConfig = z
  .object({
    requireAdmin2FA: z.boolean(),
    allowRegistration: z
      .boolean()
      .meta({ description: 'Whether registration is open; always true until the first user exists.' }),
    sendsMail: z
      .boolean()
      .meta({ description: 'Whether the server can send email for password resets and new accounts.' })
  })
  .meta({ id: 'AuthConfig' })
export type AuthConfig = z.infer<typeof AuthConfig>
