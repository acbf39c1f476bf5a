import { createHash, createHmac, pbkdf2 as pbkdf2Callback, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const pbkdf2 = promisify(pbkdf2Callback)
const iterations = 4096

/** RFC 5803. Computed here so that the password is never part of a statement, which a server may log. */
export async function scramVerifier(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  // RFC 7677 requires SASLprep; of that, only NFKC affects typeable characters.
  const salted = await pbkdf2(password.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`
}
