export interface DatedSecret {
  secret: string
  /** ISO 8601. */
  madeAt: string
}

/** SRS addresses are valid for 21 days, so that a bounce of the previous secret has come long before that one goes. */
const signsForMs = 180 * 24 * 3_600_000
const kept = 2

/** Newest first, the newest in its period; the same array where nothing changes. */
export function rotateSecrets(secrets: DatedSecret[], now: Date, make: () => string): DatedSecret[] {
  const [newest] = secrets
  if (newest && now.getTime() - Date.parse(newest.madeAt) < signsForMs) return secrets
  return [{ secret: make(), madeAt: now.toISOString() }, ...secrets].slice(0, kept)
}
