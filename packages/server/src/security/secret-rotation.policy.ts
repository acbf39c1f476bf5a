export interface DatedSecret {
  secret: string
  madeAt: string
}

/** SRS addresses are valid for 21 days, so all bounces arrive before a key expires. */
const signsForMs = 180 * 24 * 3_600_000
const keptSecrets = 2

export function rotateSecrets(secrets: DatedSecret[], now: Date, make: () => string): DatedSecret[] {
  const [newest] = secrets
  if (newest && now.getTime() - Date.parse(newest.madeAt) < signsForMs) return secrets
  return [{ secret: make(), madeAt: now.toISOString() }, ...secrets].slice(0, keptSecrets)
}
