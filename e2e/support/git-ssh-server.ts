import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../packages/server/test/support/ports.ts'

export interface GitSshServer {
  /**
   * `ssh://<user>@127.0.0.1:<port><root>`: a base for GIT_MIRRORS; repository `owner/app` is at
   * `<baseUrl>/owner/app.git`.
   */
  baseUrl: string
  port: number
  /** known_hosts line of this server, for GIT_KNOWN_HOSTS. */
  knownHostsLine: string
  url(name: string): string
  /** Accepts only these keys. */
  authorize(...publicKeys: string[]): Promise<void>
  stop(): Promise<void>
}

const sshd = '/usr/sbin/sshd'

/** A real OpenSSH server on a free loopback port that serves the repositories below `root`. */
export async function startGitSshServer(root: string): Promise<GitSshServer> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-sshd-'))
  await chmod(directory, 0o755)
  await mkdir('/run/sshd', { recursive: true }) // sshd's privilege separation directory, normally created by the service unit.
  const hostKey = join(directory, 'host_key')
  const authorizedKeys = join(directory, 'authorized_keys')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', hostKey])
  await writeFile(authorizedKeys, '', { mode: 0o644 })
  const port = await freePort()
  const user = userInfo().username
  const configuration = join(directory, 'sshd_config')
  await writeFile(
    configuration,
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorizedKeys}`,
      `PidFile ${join(directory, 'pid')}`,
      `AllowUsers ${user}`,
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      'AcceptEnv GIT_PROTOCOL',
      ''
    ].join('\n')
  )
  const server = spawn(sshd, ['-D', '-e', '-f', configuration], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-10_000)
  })
  await untilListening(port, () => {
    if (server.exitCode !== null) throw new Error(`sshd did not start: ${output}`)
  })

  const [type, key] = (await readFile(`${hostKey}.pub`, 'utf8')).split(' ')
  const baseUrl = `ssh://${user}@127.0.0.1:${port}${root}`
  return {
    baseUrl,
    port,
    knownHostsLine: `[127.0.0.1]:${port} ${type} ${key}`,
    url: (name) => `${baseUrl}/${name}.git`,
    authorize: (...publicKeys) => writeFile(authorizedKeys, publicKeys.map((line) => `restrict ${line}\n`).join('')),
    stop: async () => {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function untilListening(port: number, requireRunning: () => void): Promise<void> {
  for (;;) {
    requireRunning()
    const socket = connect(port, '127.0.0.1')
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false)
    ]).catch(() => false)
    socket.destroy()
    if (isUp) return
    await delay(50)
  }
}
