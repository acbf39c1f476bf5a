import { HOTP, Secret, TOTP } from 'otpauth'

const stepSeconds = 30
const driftSteps = 1
const parameters = { algorithm: 'SHA1', digits: 6, period: stepSeconds } as const

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

export function otpauthUrl(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...parameters, issuer, label: account, secret }).toString()
}

/**
 * The time step of the code: the current one or one next to it, and later than the last accepted one, so that each code
 * works once. undefined if none matches.
 */
export function matchTotpStep(secret: string, code: string, now: Date, lastStep: number | null): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now.getTime() / 1000 / stepSeconds)
  const key = Secret.fromBase32(secret)
  for (let step = current - driftSteps; step <= current + driftSteps; step++) {
    if (lastStep !== null && step <= lastStep) continue
    if (HOTP.validate({ token: code, secret: key, algorithm: 'SHA1', digits: 6, counter: step, window: 0 }) === 0)
      return step
  }
  return undefined
}
