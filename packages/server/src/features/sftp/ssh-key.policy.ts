import { createHash } from 'node:crypto'

export interface SshKey {
  type: string
  body: string
  comment: string
}

const minRsaBits = 2048
// Limit of OpenSSH (sshbuf-getput-crypto.c).
const maxRsaBits = 16_384
const maxLength = 8_192
const maxComment = 200

const curves: Record<string, { name: string; pointBytes: number }> = {
  'ecdsa-sha2-nistp256': { name: 'nistp256', pointBytes: 65 },
  'ecdsa-sha2-nistp384': { name: 'nistp384', pointBytes: 97 },
  'ecdsa-sha2-nistp521': { name: 'nistp521', pointBytes: 133 },
  'sk-ecdsa-sha2-nistp256@openssh.com': { name: 'nistp256', pointBytes: 65 }
}

type Reader = ReturnType<typeof createReader>

const bodies: Record<string, (read: Reader) => string | undefined> = {
  'ssh-ed25519': (read) => lengthProblem(read(), 32),
  'sk-ssh-ed25519@openssh.com': (read) => lengthProblem(read(), 32) ?? applicationProblem(read()),
  'ecdsa-sha2-nistp256': (read) => pointProblem('ecdsa-sha2-nistp256', read),
  'ecdsa-sha2-nistp384': (read) => pointProblem('ecdsa-sha2-nistp384', read),
  'ecdsa-sha2-nistp521': (read) => pointProblem('ecdsa-sha2-nistp521', read),
  'sk-ecdsa-sha2-nistp256@openssh.com': (read) =>
    pointProblem('sk-ecdsa-sha2-nistp256@openssh.com', read) ?? applicationProblem(read()),
  'ssh-rsa': rsaProblem
}

/** Decodes the key data completely and rejects options (RFC 4253 §6.6): the result is written to a file of sshd. */
export function parseSshKey(text: string): SshKey | { problem: string } {
  const line = text.trim()
  if (/PRIVATE KEY/.test(line)) return problem('is a private key. Paste the contents of the .pub file instead.')
  if (line.length > maxLength) return problem(`must have at most ${maxLength} characters`)
  if (/[\p{C}\u2028\u2029]/u.test(line)) return problem('must be one line without control characters')
  const [type = '', body = '', ...words] = line.split(/ +/)
  const comment = words.join(' ')
  const typeProblem = problemOfType(type)
  if (typeProblem !== undefined) return problem(typeProblem)
  if (comment.length > maxComment) return problem(`must have a comment of at most ${maxComment} characters`)
  const bytes = Buffer.from(body, 'base64')
  if (body === '' || bytes.toString('base64') !== body) return problem('is incomplete: the second field must be Base64')
  const bodyProblem = problemOfBody(type, bytes)
  return bodyProblem === undefined ? { type, body, comment } : problem(bodyProblem)
}

export const formatSshKey = ({ type, body, comment }: SshKey): string =>
  [type, body, comment].filter((word) => word !== '').join(' ')

export const isSameKey = (line: string, { type, body }: SshKey): boolean => {
  const [storedType, storedBody] = line.split(' ')
  return storedType === type && storedBody === body
}

export const fingerprintOf = ({ body }: SshKey): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64').replace(/=+$/, '')}`

function problemOfType(type: string): string | undefined {
  if (Object.hasOwn(bodies, type)) return undefined
  if (type === 'ssh-dss') return 'is a DSA key, which is too weak. Create one with: ssh-keygen -t ed25519'
  if (type.includes('-cert-v01@')) return 'is a certificate. Paste the public key instead.'
  return `must start with its type, without options: ${Object.keys(bodies).join(', ')}`
}

function problemOfBody(type: string, bytes: Buffer): string | undefined {
  try {
    const read = createReader(bytes)
    if (read().toString('latin1') !== type) return 'contains a different key type than it declares'
    return bodies[type]!(read) ?? (read.isAtEnd() ? undefined : 'has trailing data')
  } catch (error) {
    if (error instanceof RangeError) return 'is incomplete'
    throw error
  }
}

/** Reads consecutive RFC 4251 §5 strings. Throws RangeError at the end of the data. */
function createReader(bytes: Buffer) {
  let at = 0
  const read = (): Buffer => {
    const start = at + 4
    const end = start + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('read past the end')
    at = end
    return bytes.subarray(start, end)
  }
  return Object.assign(read, { isAtEnd: () => at === bytes.length })
}

const lengthProblem = (value: Buffer, bytes: number): string | undefined =>
  value.length === bytes ? undefined : 'is incomplete: wrong length'

function pointProblem(type: string, read: Reader): string | undefined {
  const { name, pointBytes } = curves[type]!
  if (read().toString('latin1') !== name) return 'uses a different curve than it declares'
  const point = read()
  return lengthProblem(point, pointBytes) ?? (point[0] === 4 ? undefined : 'has a point that is not uncompressed')
}

const applicationProblem = (application: Buffer): string | undefined =>
  /^ssh:[\x21-\x7e]{0,255}$/.test(application.toString('latin1')) ? undefined : 'is not a security key for SSH'

function rsaProblem(read: Reader): string | undefined {
  const exponent = read()
  const modulus = read()
  if (!isPositive(exponent) || !isPositive(modulus)) return 'has invalid numbers'
  if (exponent.length > 8 || (exponent.at(-1)! & 1) === 0 || (exponent.length === 1 && exponent[0] === 1))
    return 'has an unsafe exponent'
  const first = modulus[0] === 0 ? modulus.subarray(1) : modulus
  const bits = first.length * 8 - Math.clz32(first[0]!) + 24
  if (bits < minRsaBits)
    return `is an RSA key of ${bits} bits; at least ${minRsaBits} are required. Create one with: ssh-keygen -t ed25519`
  return bits > maxRsaBits ? `must have at most ${maxRsaBits} bits` : undefined
}

function isPositive(value: Buffer): boolean {
  if (value.length === 0 || value[0]! >= 0x80) return false
  return value[0] !== 0 || (value.length > 1 && value[1]! >= 0x80)
}

const problem = (text: string) => ({ problem: text })
