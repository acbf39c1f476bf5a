import { mkdir } from 'node:fs/promises'
import type { Run } from '../process/process.ts'

export const sshd = '/usr/sbin/sshd'

/** sshd requires this directory even for checking a configuration. */
export const makeSshdDirectory = () => mkdir('/run/sshd', { recursive: true, mode: 0o755 })

/** `sshd -T`; with `username`, as applied to that user. Rejects with ProcessError if sshd refuses the file. */
export async function readEffectiveConfig(run: Run, config: string, username?: string): Promise<string> {
  await makeSshdDirectory()
  const connection = username === undefined ? [] : ['-C', `user=${username},host=localhost,addr=127.0.0.1`]
  return (await run([sshd, '-T', '-f', config, ...connection], { timeoutMs: 10_000 })).stdout
}
