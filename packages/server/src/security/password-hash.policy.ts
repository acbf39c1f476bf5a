export interface PasswordCost {
  m: number
  t: number
}

// OWASP Password Storage Cheat Sheet: m=19456,t=2 or equivalent work with less memory, down to m=7168,t=5.
const minMemory = 7_168
const minWork = 35_840
// Dovecot rejects hashes with more memory as wrong passwords.
const maxMemory = 262_144
const maxPasses = 20

export function parsePasswordCost(text: string): PasswordCost {
  const [, memory, passes] = /^m=(\d{1,6}),t=(\d{1,2})$/.exec(text) ?? []
  const [m, t] = [Number(memory), Number(passes)]
  if (memory === undefined || passes === undefined) throw new Error('must have the form m=19456,t=2')
  if (m > maxMemory || t > maxPasses) throw new Error(`must be at most m=${maxMemory},t=${maxPasses}`)
  if (m < minMemory || m * t < minWork) throw new Error('must be at least m=19456,t=2 or m=7168,t=5')
  return { m, t }
}

/** Parses the PHC parameters `m=19456,t=2,p=1`; undefined for other algorithms or parameters. */
export function readPasswordCost(text: string): PasswordCost | undefined {
  const [, m, t] = /^m=(\d+),t=(\d+),p=1$/.exec(text) ?? []
  return m === undefined || t === undefined ? undefined : { m: Number(m), t: Number(t) }
}

export const hasCost = (passwordHash: string, { m, t }: PasswordCost): boolean =>
  passwordHash.startsWith(`$argon2id$v=19$m=${m},t=${t},p=1$`)
