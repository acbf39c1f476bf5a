import { z } from 'zod'
import { type ApiToken, CreatedApiToken, TokenScope } from './api-tokens.ts'
import { singleLine, Timestamp } from './common.ts'

/** Without vowels and characters that look alike, so that no word and no misread character comes up. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
export const userCodeLength = 8

const UserCode = z
  .string()
  .min(1)
  .max(32)
  .meta({ description: 'In any case, with or without separators.', examples: ['BCDF-GHJK'] })

/** As it was issued, from what a user typed. */
export const readUserCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

export const StartDeviceLogin = z.object({
  name: singleLine(100).trim().min(1).meta({ description: 'Name of the token, such as that of the machine.' }),
  scope: TokenScope
})
export type StartDeviceLogin = z.infer<typeof StartDeviceLogin>

export const StartedDeviceLogin = z.object({
  deviceCode: z.string().meta({
    description: 'For `POST /api/auth/device/token`. Keep it secret.',
    examples: ['0123456789abcdef0123456789abcdef01234567abc']
  }),
  userCode: z.string().meta({ description: 'To show to the user.', examples: ['BCDF-GHJK'] }),
  verificationUri: z.url().meta({ examples: ['https://panel.example.com/device'] }),
  verificationUriComplete: z.url().meta({
    description: 'The same page with the code filled in.',
    examples: ['https://panel.example.com/device?code=BCDF-GHJK']
  }),
  expiresInSeconds: z.int(),
  intervalSeconds: z.int().meta({ description: 'Ask for the token no more often than this.' })
})
export type StartedDeviceLogin = z.infer<typeof StartedDeviceLogin>

export const DeviceLogin = z
  .object({
    name: z.string(),
    scope: TokenScope,
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    tokenExpiresInDays: z.int(),
    createdAt: Timestamp,
    expiresAt: Timestamp
  })
  .meta({ id: 'DeviceLogin' })
export type DeviceLogin = z.infer<typeof DeviceLogin>

export const FindDeviceLogin = z.object({ userCode: UserCode })
export const AnswerDeviceLogin = FindDeviceLogin.extend({ approve: z.boolean() })

export const TakeDeviceToken = z.object({ deviceCode: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })
export const DeviceTokenStatus = z.enum(['PENDING', 'APPROVED'])
export const DeviceToken = z.object({
  status: DeviceTokenStatus,
  intervalSeconds: z.int(),
  token: CreatedApiToken.nullable()
})
export interface DeviceTokenAnswer {
  status: 'PENDING' | 'APPROVED'
  intervalSeconds: number
  token: (ApiToken & { token: string }) | null
}
