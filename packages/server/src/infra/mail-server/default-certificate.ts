import { chmod } from 'node:fs/promises'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { createSelfSigned } from '../x509/self-signed.ts'
import { makeOwned } from './mail-directories.ts'
import type { MailPaths } from './mail-paths.ts'

const days = 3650

/** Creates a self-signed certificate for clients without SNI, unless there is a default certificate. */
export async function ensureDefaultCertificate(paths: MailPaths, hostname: string, now: Date): Promise<void> {
  await makeOwned(paths.certificateDirectory, { uid: 0, gid: 0 }, 0o700)
  await chmod(paths.certificateDirectory, 0o700)
  if ((await readIfExists(paths.defaultCertificate)) !== undefined) return
  await writeFileAtomically(paths.defaultCertificate, await ensureSelfSigned(paths, hostname, now))
}

export async function ensureSelfSigned(
  paths: Pick<MailPaths, 'selfSigned'>,
  hostname: string,
  now: Date
): Promise<string> {
  const found = await readIfExists(paths.selfSigned)
  if (found !== undefined) return found
  const { chain, keyPem } = await createSelfSigned([hostname], { now, days })
  const pem = `${keyPem}${chain}`
  await writeFileAtomically(paths.selfSigned, pem)
  return pem
}
