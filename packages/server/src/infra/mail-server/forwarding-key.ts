import { X509Certificate } from 'node:crypto'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { createSelfSigned } from '../x509/self-signed.ts'
import { makeOwned } from './mail-directories.ts'
import type { MailPaths } from './mail-paths.ts'

const days = 3650

/** Key pair that authenticates the two forwarding passes. Resolves with its SHA-256 fingerprint. */
export async function ensureForwardingKey({ postfix }: Pick<MailPaths, 'postfix'>): Promise<string> {
  let pem = await readIfExists(postfix.forwardingKey)
  if (pem === undefined) {
    const { chain, keyPem } = await createSelfSigned(['forwarding.invalid'], { now: new Date(), days })
    pem = `${keyPem}${chain}`
    await makeOwned(postfix.directory, { uid: 0, gid: 0 }, 0o755)
    await writeFileAtomically(postfix.forwardingKey, pem)
  }
  return new X509Certificate(pem).fingerprint256
}
