import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endSessions } from './sftp-sessions.ts'

const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot).each<[string, string[], string | null]>([
  ['a session ends', [], 'SIGKILL'],
  ['a container under the title of one goes on', ['unshare', '--pid', '--fork', '--kill-child'], null]
])('%s', async (_, wrapper, signal) => {
  const directory = await mkdtemp(join(tmpdir(), 'sessions-'))
  try {
    await copyFile('/bin/sh', join(directory, 'sshd'))
    const command = `exec -a "sshd: vsftp_imitated@notty" ${join(directory, 'sshd')} -c 'echo up; read line'`
    const [file = '', ...args] = [...wrapper, 'bash', '-c', command]
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    await endSessions('vsftp_imitated')
    child.stdin.end()
    expect((await ended)[1]).toBe(signal)
  } finally {
    await rm(directory, { recursive: true })
  }
})
