import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A directory owned by root with root-owned parents, as sshd requires for chroot. The caller removes it. */
export async function makeRootDirectory(): Promise<string> {
  const path = join('/var/lib', `panel-e2e-${randomBytes(5).toString('hex')}`)
  await mkdir(path, { mode: 0o755 })
  return path
}
