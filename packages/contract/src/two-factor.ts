import { z } from 'zod'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

export const TwoFactorSetup = z
  .object({ otpauthUrl: secret(z.string()), qrDataUrl: secret(z.string()), manualKey: secret(z.string()) })
  .meta({ id: 'TwoFactorSetup' })
export const VerifyTwoFactorSetup = z.object({ code: z.string().regex(/^\d{6}$/, words.CODE_OF_APP) })
export const RecoveryCodes = z
  .object({ recoveryCodes: secret(z.array(z.string())).meta({ description: 'Ten codes, shown only once.' }) })
  .meta({ id: 'RecoveryCodes' })

export const SecondFactor = z.string().trim().min(6).max(32)

export const TwoFactorChallenge = z.object({ challengeToken: z.string().min(1).max(128), code: SecondFactor })
export const DisableTwoFactor = z.object({ password: z.string().min(1).max(128), codeOrRecovery: SecondFactor })
export const RenewRecoveryCodes = DisableTwoFactor

/** Login response if two-factor is on: 202, without a session cookie. */
export const LoginChallenge = z
  .object({ requires2FA: z.literal(true), challengeToken: secret(z.string()) })
  .meta({ id: 'LoginChallenge' })
