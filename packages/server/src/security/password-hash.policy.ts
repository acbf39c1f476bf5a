/** Argon2id's memory in KiB (`m`) and its passes (`t`), by the names that a hash in PHC form has for them; one lane. */
export interface PasswordCost {
  m: number
  t: number
}

// OWASP Password Storage Cheat Sheet: m=19456,t=2 or as much work with less memory, down to m=7168,t=5.
const leastMemory = 7_168
const leastWork = 35_840
// Dovecot takes a hash of more memory for a wrong password.
const mostMemory = 262_144
const mostPasses = 20

/** `m=19456,t=2`. Throws with a sentence that says what is wrong. */
export function parsePasswordCost(text: string): PasswordCost {
  const [, memory, passes] = /^m=(\d{1,6}),t=(\d{1,2})$/.exec(text) ?? []
  const [m, t] = [Number(memory), Number(passes)]
  if (memory === undefined || passes === undefined) throw new Error('must be such as m=19456,t=2')
  if (m > mostMemory || t > mostPasses) throw new Error(`must be m=${mostMemory},t=${mostPasses} at most`)
  if (m < leastMemory || m * t < leastWork) throw new Error('must be as much work as m=19456,t=2 or m=7168,t=5')
  return { m, t }
}

/** As a hash in PHC form has it: `m=19456,t=2,p=1`; undefined of one that was made in another way. */
export function readPasswordCost(text: string): PasswordCost | undefined {
  const [, m, t] = /^m=(\d+),t=(\d+),p=1$/.exec(text) ?? []
  return m === undefined || t === undefined ? undefined : { m: Number(m), t: Number(t) }
}

/** Whether a hash in PHC form was made with this cost. */
export const hasCost = (passwordHash: string, { m, t }: PasswordCost): boolean =>
  passwordHash.startsWith(`$argon2id$v=19$m=${m},t=${t},p=1$`)
